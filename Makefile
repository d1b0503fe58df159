# A clean clone needs Python 3.11+ and make; everything else is installed here.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: gate test lint types docs bench clean

gate: $(VENV)/.installed
	cd examples/kb_agent && ../../$(BIN)/python -m pytest --agentgate

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

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip
	$(PIP) install -c constraints.txt -e '.[all,dev,example]'
	touch $@

clean:
	rm -rf $(VENV)
