# Every command of the project. What one needs it sets up itself: Python packages in .venv,
# pipenv in .tools, Debian packages by apt where it may.

PYTHON ?= python3
PIPENV_VERSION = 2026.10.3

APP ?= aiohttp
SERVER ?= dev
WORKERS ?= 4
PORT ?= 8000
# Not ?=, since some shells export HOST as the machine's own name.
HOST = 127.0.0.1
ARGS =
# Those that `make pythons` compares, by commas.
PYTHONS ?=

# Servers read PORT from the environment; one that a benchmark starts must not.
unexport APP SERVER WORKERS PORT HOST ARGS PYTHONS

TOOLS = .tools/pipenv-$(PIPENV_VERSION)
PIPENV = PIPENV_VENV_IN_PROJECT=1 PIPENV_IGNORE_VIRTUALENVS=1 PIPENV_NOSPIN=1 \
	$(TOOLS)/bin/python -m pipenv --python '$(CURDIR)/$(TOOLS)/bin/python'
# pipenv hashes the indexes of pip's own settings into the lock, which would then be out of date on
# every other machine: so it makes the lock, and verifies it, without them.
PIPENV_ALONE = env -u PIP_INDEX_URL -u PIP_EXTRA_INDEX_URL -u PIP_FIND_LINKS \
	PIP_CONFIG_FILE=/dev/null $(PIPENV)
RUN = .venv/bin/python -m
comma = ,
FURTHER = $(subst $(comma), ,$(PYTHONS))

.ONESHELL:
.SHELLFLAGS = -euc
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help setup stacks serve bench bench-quick bench-all pythons overhead costs calibrate planted accuracy findings screenshots test fuzz check lock clean need-ab

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	echo
	echo 'PYTHON=python3.13 make ... takes another Python than python3.'

setup: need-ab .venv/tests.done .venv/h2load.tried ## install all that the other commands need, but the browser of make test
	@echo 'PlanetTracker is ready: make serve, make bench, make test.'

# What serves what: an APP, and the SERVERs of each. Those of FIRST need none of the further stacks.
APPS = aiohttp flask tornado starlette
SERVERS.aiohttp = dev gunicorn uvloop
SERVERS.flask = dev gunicorn gthread gevent granian
SERVERS.tornado = dev gunicorn
SERVERS.starlette = dev uvicorn gunicorn granian
FIRST = aiohttp-dev aiohttp-gunicorn flask-dev flask-gunicorn flask-gthread
dev = planettracker '$(APP)' --host '$(HOST)' --port '$(PORT)'
gunicorn = gunicorn 'planettracker.apps.$(APP):create_app()' -k $(1) -w '$(WORKERS)' \
	-b '$(HOST):$(PORT)' --no-control-socket --forwarded-allow-ips=
elsewhere = --factory 'planettracker.apps.$(APP):create_app' --workers '$(WORKERS)' \
	--host '$(HOST)' --port '$(PORT)'
SERVE.aiohttp-gunicorn = $(call gunicorn,aiohttp.GunicornWebWorker)
SERVE.aiohttp-uvloop = $(call gunicorn,aiohttp.GunicornUVLoopWebWorker)
SERVE.flask-gunicorn = $(call gunicorn,sync)
SERVE.flask-gthread = $(call gunicorn,gthread) --threads 4
SERVE.flask-gevent = $(call gunicorn,gevent)
SERVE.flask-granian = granian $(elsewhere) --interface wsgi --http 1
SERVE.tornado-gunicorn = $(call gunicorn,tornado)
SERVE.starlette-uvicorn = uvicorn $(elsewhere) --ws none --no-proxy-headers --no-access-log
SERVE.starlette-gunicorn = $(call gunicorn,asgi)
SERVE.starlette-granian = granian $(elsewhere) --interface asgi --http 1 --no-ws
one_of = $(if $(filter $($(1)),$(2)),,echo "$(1) is one of: $(strip $(2)); not '$($(1))'." >&2; exit 2)

serve: $(if $(filter $(FIRST),$(APP)-$(SERVER)),.venv/bench.done,.venv/stacks.done) ## serve: APP=aiohttp|flask|tornado|starlette SERVER=dev|gunicorn|... WORKERS=4 PORT=8000 HOST=127.0.0.1
	@$(call one_of,APP,$(APPS))
	$(call one_of,SERVER,$(SERVERS.$(APP)))
	exec $(RUN) $(or $(SERVE.$(APP)-$(SERVER)),$(dev))

bench: need-ab .venv/h2load.tried ## run the experiment: which stack is faster, by how much (ARGS=...)
	@exec $(RUN) loadtest run $(ARGS)

bench-quick: need-ab .venv/h2load.tried ## the same in about a minute, to see that it works
	@exec $(RUN) loadtest run --blocks 2 --seconds 0.2 --noisy $(ARGS)

# 40 cells in 6 blocks are 240 trials, each 2.75 s with its share of the calibration, as those of the
# default lanes take; then 74 cells in 4 blocks of 0.4 s, 296 trials of 1.7 s: 11 + 8.4 minutes.
bench-all: need-ab .venv/h2load.tried .venv/stacks.done ## compare every stack, and where its CPU time goes; 20 minutes (ARGS=...)
	@exec $(RUN) loadtest run --lanes all --attribute 4 $(ARGS)

pythons: need-ab .venv/h2load.tried .venv/stacks.done $(FURTHER:%=.venv-%/done) ## compare Pythons: PYTHONS=python3.11,python3.13 (ARGS=...)
	@[ -n '$(PYTHONS)' ] || { echo 'Which? PYTHONS=python3.11,python3.13 make pythons' >&2; exit 2; }
	exec $(RUN) loadtest python --python '$(PYTHONS)' $(ARGS)

stacks: .venv/stacks.done ## install the further web stacks, which the default lanes do without
	@echo 'Every lane can run: .venv/bin/python -m loadtest lanes'

overhead: need-ab .venv/bench.done ## measure what the contract costs beside bare aiohttp handlers (ARGS=blocks)
	@exec $(RUN) tests.overhead $(ARGS)

costs: need-ab .venv/bench.done ## measure what the routes cost beside each other, and an older commit (ARGS=commit)
	@exec $(RUN) tests.costs $(ARGS)

calibrate: need-ab .venv/bench.done ## check the intervals: by simulation, and one lane against itself (ARGS=...)
	@exec $(RUN) tests.calibration $(ARGS)

planted: need-ab .venv/bench.done ## measure a slowdown of a known size, several times (ARGS=--slowdown 5%)
	@exec $(RUN) tests.planted $(ARGS)

accuracy: .venv/tests.done ## write docs/accuracy.md: how true the sky is, beside what others say of it
	@exec $(RUN) tests.accuracy

test: need-ab .venv/browser.tried .venv/h2load.tried .venv/nginx.tried ## run the tests (ARGS=...)
	@command -v chromium > /dev/null || echo 'Without chromium the browser tests are skipped.'
	exec $(RUN) pytest $(ARGS)

fuzz: .venv/tests.done ## ask every server 10,000 generated requests, which all must answer alike (ARGS=...)
	@FUZZ=10000 exec $(RUN) pytest -s tests/test_differential.py $(ARGS)

findings: .venv/browser.tried ## write the runs in a folder into docs/findings.md (RUNS=FOLDER)
	@exec $(RUN) tests.findings '$(RUNS)'

screenshots: .venv/browser.tried ## make the pictures of the page in docs/page again
	@exec $(RUN) tests.screenshots

check: .venv/tests.done ## lint, check the format, the types, and that Pipfile.lock is up to date
	@$(RUN) ruff check
	$(RUN) ruff format --check
	$(RUN) mypy
	$(PIPENV_ALONE) verify 2> .tools/log || { cat .tools/log >&2; exit 1; }

# The index that pipenv writes into the lock is removed. The oldest Python makes it, since a newer
# one leaves out what only an older one needs.
lock: $(TOOLS)/done ## resolve the Pipfile into Pipfile.lock again
	@if ! grep -q '^3\.11\.' .tools/python
	then echo 'Only Python 3.11 makes a lock for all: PYTHON=python3.11 make lock' >&2; exit 2
	fi
	rm -rf .venv
	$(PIPENV_ALONE) lock > .tools/log 2>&1 || { cat .tools/log >&2; exit 1; }
	$(TOOLS)/bin/python - << 'END'
	import json, pathlib
	path = pathlib.Path("Pipfile.lock")
	lock = json.loads(path.read_text())
	lock["_meta"]["sources"] = []
	packages = [package for name in lock.keys() - {"_meta"} for package in lock[name].values()]
	for package in packages: package.pop("index", None)
	path.write_text(json.dumps(lock, indent=4, sort_keys=True) + "\n")
	END
	$(PIPENV_ALONE) verify

clean: ## remove what these commands have made, but not the experiment's results
	rm -rf .venv .venv-* .tools .coverage .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

# need COMMAND PACKAGE: the command succeeds, if need be after apt has installed the package.
# sudo may ask for a password where there is a terminal to ask on; a new machine may hold apt's
# lock for its own updates.
define NEED
need() {
	eval "$$1" > /dev/null 2>&1 && return
	export SUDO_PROMPT="Password of %p, to install $$2 by apt: "
	sudo=
	[ "$$(id -u)" = 0 ] || { [ -t 0 ] && sudo=sudo || sudo='sudo -n'; }
	if command -v apt-get > /dev/null && $$sudo true 2> /dev/null
	then
		echo "Installing $$2 by apt ..."
		apt="$$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300"
		$$apt update || true
		$$apt install -y --no-install-recommends "$$2" > /dev/null || true
		eval "$$1" > /dev/null 2>&1 && return
	fi
	echo "$$2 is missing, and cannot be installed from here:" \
		"run 'apt-get install $$2' as root, then make again." >&2
	return 2
}
endef

need-ab:
	@$(NEED)
	need 'command -v ab' apache2-utils

# Runs each time, and changes only when the chosen interpreter does.
.tools/python: FORCE
	@mkdir -p .tools
	if ! $(PYTHON) -c 'import os, sys; sys.version_info >= (3, 11) or sys.exit(1); \
		print(os.path.realpath(sys._base_executable), "%d.%d.%d" % sys.version_info[:3], sep="\n")' \
		> $@.new 2> .tools/log
	then
		echo "PlanetTracker needs Python 3.11 or newer, and $(PYTHON) --version says:" \
			"$$($(PYTHON) --version 2>&1 | head -n 1). Choose another: PYTHON=python3.13 make ..." >&2
		exit 2
	fi
	cmp -s $@.new $@ && rm $@.new || mv $@.new $@

FORCE:

$(TOOLS)/done: .tools/python
	@$(NEED)
	{ read -r python; read -r version; } < .tools/python
	need "$$python -c 'import ensurepip'" "python$${version%.*}-venv"
	echo "Installing pipenv $(PIPENV_VERSION) in .tools, for Python $$version ..."
	rm -rf .tools/pipenv-*
	"$$python" -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip install -qq --disable-pip-version-check pipenv==$(PIPENV_VERSION)
	touch $@

# pipenv says much even when it is told to be quiet: its words, without the 2,000 hashes that it
# repeats, are shown when it fails.
sync = $(PIPENV) sync --categories '$(1)' > .tools/log 2>&1 \
	|| { grep -v '^--hash' .tools/log >&2; exit 1; }

.venv/bench.done: Pipfile.lock $(TOOLS)/done
	@echo 'Installing the service and the experiment in .venv ...'
	rm -rf .venv
	$(call sync,packages loadtest)
	touch $@

.venv/stacks.done: .venv/bench.done
	@echo 'Installing the further stacks in .venv ...'
	$(call sync,stacks)
	touch $@

# A further Python with the same packages, from the same lock: its hashes are checked.
.venv-%/done: Pipfile.lock $(TOOLS)/done
	@$(NEED)
	if ! '$*' -c 'import sys; sys.version_info >= (3, 11) or sys.exit(1)' 2> /dev/null
	then
		echo "$* is no Python of 3.11 or newer on the PATH; name others: PYTHONS=python3.11,python3.13" >&2
		exit 2
	fi
	need "'$*' -c 'import ensurepip'" '$*-venv'
	echo 'Installing the service and the stacks in .venv-$* ...'
	rm -rf '.venv-$*'
	'$*' -m venv '.venv-$*'
	$(PIPENV) requirements --hash --categories 'packages stacks' > '.venv-$*/requirements.txt' 2> .tools/log
	'.venv-$*/bin/python' -m pip install -qq --disable-pip-version-check --require-hashes \
		-r '.venv-$*/requirements.txt'
	touch '$@'

# Tried once, since the experiment can do without: ab alone puts the load on then.
.venv/h2load.tried: .venv/bench.done
	@$(NEED)
	need 'command -v h2load' nghttp2-client || echo 'Without h2load the experiment runs with ab alone.'
	touch $@

# Debian's package starts a web server of its own, which nobody here has asked for.
.venv/nginx.tried: .venv/bench.done
	@$(NEED)
	there='[ -x /usr/sbin/nginx ] || command -v nginx'
	if ! eval "$$there" > /dev/null
	then
		if need "$$there" nginx-light
		then $$sudo systemctl disable --now nginx > /dev/null 2>&1 || true
		else echo 'Without nginx no lane is measured behind it, and its tests are skipped.'
		fi
	fi
	touch $@

.venv/tests.done: .venv/stacks.done
	@echo 'Installing the tests in .venv ...'
	$(call sync,dev-packages)
	touch $@

.venv/browser.tried: .venv/tests.done
	@$(NEED)
	need 'command -v chromium' chromium || true
	need 'command -v chromium-headless-shell' chromium-headless-shell \
		|| echo 'Without chromium-headless-shell the browser tests take twice as long.'
	# Playwright's own node is linked against a library that a slim machine lacks.
	need '$(RUN) playwright --version' libatomic1 || true
	touch $@
