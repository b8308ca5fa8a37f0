PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PYTHONHASHSEED = 0

.PHONY: demo test check lint types unit lock clean

demo: $(VENV)/.core
	$(BIN)/editplan demo

test: $(VENV)/.test check

check: lint types unit

lint:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types:
	@mkdir -p build/view/editplan
	@for d in editplan/*; do ln -sfn "../../../$$d" "build/view/editplan/$$(basename $$d)"; done
	@for d in planner editors prompts evals; do ln -sfn "../../../$$d" "build/view/editplan/$$d"; done
	MYPYPATH=build/view $(BIN)/mypy --strict -p editplan

unit:
	$(BIN)/pytest -n 2 --dist loadfile

lock:
	$(BIN)/python -m editplan.prompts

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip

$(VENV)/.core: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -q -e .
	@touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -q -e '.[test]'
	@touch $@ $(VENV)/.core

clean:
	rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache
