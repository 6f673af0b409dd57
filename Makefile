# Needs python3 (3.11 or newer, with venv and pip); everything else goes into .venv.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
PORT ?=
INSTALL := $(PY) -m pip install -qq --disable-pip-version-check --compile -c constraints.txt

APP_EXTRAS := app
ALL_EXTRAS := app,peers,test

# Bytecode is written once, else every start compiles everything again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup run test check soak texts
.DEFAULT_GOAL := help

help:
	@echo "make run     start the app in the browser (PORT=8600 for another port)"
	@echo "make setup   install what the app and the tests need into $(VENV)"
	@echo "make check   formatting, lint, types, import layers"
	@echo "make test    check, then every test, in a real browser too"
	@echo "make soak    the property tests with tens of thousands of examples"
	@echo "make texts   bring the catalogues of texts up to date"

setup: $(VENV)/.all

run: $(VENV)/.app
	@$(PY) -m pages.ui.launch $(if $(PORT),--port $(PORT))

test: setup
	@bash .ci/suite $(PY)

check: setup
	@bash .ci/checks $(PY)

soak: setup
	@$(PY) -m pytest --hypothesis-profile=soak -m "hypothesis and not browser" --timeout=7200

texts: setup
	@$(PY) -m tests.setup.texts

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; name one with PYTHON=…")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.app: pyproject.toml constraints.txt | $(PY)
	@echo "Installing the app into $(VENV), once (a minute or two) ..."
	@$(INSTALL) -e ".[$(APP_EXTRAS)]"
	@touch $@

$(VENV)/.all: pyproject.toml constraints.txt | $(PY)
	@echo "Installing the app and all that the tests need into $(VENV), once (a few minutes) ..."
	@$(INSTALL) -e ".[$(ALL_EXTRAS)]"
	@touch $(VENV)/.app $@
