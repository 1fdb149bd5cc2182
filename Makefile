# Every target sets up what it needs: on a fresh machine with Python and make, `make demo` and `make test` are enough.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: setup demo test lint bench faults soak clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Afterword needs Python 3.11 or newer")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev,embed,mcp]'
	touch $(READY)

demo: setup
	$(BIN)/afterword demo

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not fault and not soak and not bench"

faults: setup
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not soak and not bench" tests/faults

soak: setup
	$(BIN)/python -m pytest -m soak -s --timeout 0

bench: setup
	$(BIN)/python -m pytest -m bench -s -q --timeout 0 tests/benchmarks

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
