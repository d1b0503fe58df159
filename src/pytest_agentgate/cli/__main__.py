"""``python -m pytest_agentgate.cli``, the command without its script."""

from . import main

raise SystemExit(main())
