"""``python -m benchmarks [NAME ...]``: run all benchmarks, or those named."""

from __future__ import annotations

import sys

from benchmarks import grading, items, linting, schemas, startup

ALL = {
    "startup": startup.main,
    "items": items.main,
    "grading": grading.main,
    "schemas": schemas.main,
    "linting": linting.main,
}


def main(names: list[str]) -> int:
    """Run and print."""
    unknown = [name for name in names if name not in ALL]
    if unknown:
        sys.stderr.write(f"no benchmark {unknown}; there are {', '.join(ALL)}\n")
        return 4
    for name in names or ALL:
        sys.stdout.write(f"\n{name}\n")
        ALL[name]()
    return 0


raise SystemExit(main(sys.argv[1:]))
