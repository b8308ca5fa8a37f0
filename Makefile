PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOCAL := .venv-local
# A torch without CUDA where the index has one; --no-deps keeps torchvision from asking for another torch.
TORCH ?= torch==2.13.0
TORCHVISION ?= torchvision==0.28.0
export PYTHONHASHSEED = 0

.PHONY: demo test test-local check lint types unit lock clean

demo: $(VENV)/.core
	$(BIN)/editplan demo

test: $(VENV)/.test check

test-local: $(LOCAL)/.ready
	$(LOCAL)/bin/pytest -m local tests/editors/local tests/evals/checkers tests/evals/protocols/rigbench

check: lint types unit

lint:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types:
	@rm -rf build/view && mkdir -p build/view/editplan
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

$(LOCAL)/.ready: pyproject.toml
	$(PYTHON) -m venv $(LOCAL)
	$(LOCAL)/bin/python -m pip install -q --upgrade pip
	$(LOCAL)/bin/python -m pip install -q '$(TORCH)'
	$(LOCAL)/bin/python -m pip install -q --no-deps '$(TORCHVISION)'
	$(LOCAL)/bin/python -m pip install -q -e '.[local,ocr,vision]' \
	  'hypothesis>=6.100' 'onnx>=1.16' 'pytest>=8.3' 'pytest-asyncio>=0.24' 'scikit-image>=0.24'
	@touch $@

clean:
	rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache
