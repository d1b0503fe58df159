# A clean clone needs Python 3.11+ and make; everything else is installed here.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: gate test lint types docs bench servers clean

gate: $(VENV)/.installed
	cd examples/kb_agent && PATH="$(CURDIR)/$(BIN):$$PATH" python -m pytest --agentgate

test: $(VENV)/.installed
	$(BIN)/python -m pytest tests -n 2

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/.installed
	$(BIN)/pytest-agentgate explain --markdown docs/rules

bench: $(VENV)/.installed
	$(BIN)/python -m benchmarks

# Four public MCP servers, which tests/integration/test_real_servers.py starts.
servers: .venv-servers/current/.installed .venv-servers/mcp1/.installed

.venv-servers/%/.installed: tests/servers/requirements-%.txt
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip --quiet --disable-pip-version-check install -r $<
	touch $@

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip
	$(PIP) install -c constraints.txt -e '.[all,dev,example]'
	touch $@

clean:
	rm -rf $(VENV) .venv-servers
