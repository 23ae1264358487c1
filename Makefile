# podburst: measure how a burst of pods starts. `make help` lists the targets.
SHELL := /bin/bash
.DEFAULT_GOAL := help
BIN ?= bin
export BIN

# What a user may set for `make e2e` (if empty: the suite's default).
export BASE HEAD BLOCKS MAX_BLOCKS CRITERIA
export PROVIDER PROFILES PODS BURSTS WARMUP SLO ARTIFACTS DEADLINE LABELS SEED IMAGE KUBECONTEXT AUDIT_LOG PROGRESS PPROF

# Library packages, for the race detector: everything except the suite.
LIBRARIES = $$(go list ./... | grep -v /e2e)
# The control plane's packages that compile without Kubernetes. The tests of the
# others run where the control plane is built anyway, with the builder's flags,
# so that Go's build cache already has all of Kubernetes.
HEAVY = CGO_ENABLED=0 GOFLAGS=-mod=readonly GOWORK=off go test -trimpath -vet=off
LIGHT = ./internal/fakeruntime/... ./internal/multicall/... ./internal/rootdir/... ./internal/readiness/...
# Packages with tests of a live control plane. The unit tests of all others are `make test`.
LIVE = $$(grep -rlE --include='*_test.go' '^//go:build.*\bintegration\b' . | xargs -n 1 dirname | sort -u)
GOLANGCI = $(BIN)/golangci-lint
ACTIONLINT = $(BIN)/actionlint

.PHONY: help
help: ## Show this help
	@awk 'BEGIN {FS = ":.*## "} /^[a-z0-9-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo "  make e2e takes PROVIDER=auto|embedded|kind|existing PROFILES=default,tuned PODS=100 BURSTS=3 WARMUP=10"
	@echo "  SLO=slo.yaml ARTIFACTS=artifacts DEADLINE=2m LABELS=profile:tuned SEED=1"
	@echo "  PPROF=1 (CPU profiles of the components; such bursts are slower and never compared)"
	@echo "  PROGRESS=auto|live|plain|quiet|json."
	@echo "  make compare takes BASE=default HEAD=tuned BLOCKS=8 MAX_BLOCKS=16 CRITERIA=gate.yaml, and the rest as above."
	@echo "  make list-cost takes PROVIDER, PROFILES=default, SEED, ARTIFACTS, PROGRESS and LIST_PODS=100,500,1000 LIST_ROUNDS=20 LIST_LIMIT=500."
	@echo "  make reports any failure as 2; hack/e2e.sh exits with the suite's own code:"
	@echo "  0 pass, 1 internal error, 2 bad input, 3 invalid, 4 SLO failed, 5 regressed, 130 interrupted."

.PHONY: e2e
e2e: ## Run the suite: one cluster per profile, 100-pod bursts, SLOs, reports
	@exec hack/e2e.sh

.PHONY: compare
compare: ## Compare two profiles in interleaved blocks: make compare BASE=default HEAD=tuned
	@if [ -z "$(BASE)" ] || [ -z "$(HEAD)" ]; then echo "make compare needs both profiles: make compare BASE=default HEAD=tuned" >&2; exit 2; fi
	@exec hack/e2e.sh

# What a user may set for `make list-cost`, besides the above (if empty: the
# command's default).
export LIST_PODS LIST_ROUNDS LIST_LIMIT

.PHONY: list-cost
list-cost: ## Measure what listing and watching pods cost an API server and its clients
	@go build -o $(BIN)/podburst ./cmd/podburst
	@exec $(BIN)/podburst list-cost $${PROVIDER:+--provider "$$PROVIDER"} $${PROFILES:+--profile "$$PROFILES"} \
		$${LIST_PODS:+--pods "$$LIST_PODS"} $${LIST_ROUNDS:+--rounds "$$LIST_ROUNDS"} $${LIST_LIMIT:+--limit "$$LIST_LIMIT"} \
		$${SEED:+--seed "$$SEED"} $${ARTIFACTS:+--artifacts "$$ARTIFACTS"} $${PROGRESS:+--progress "$$PROGRESS"}

.PHONY: test
test: ## Unit tests: no cluster, no Docker
	go test ./...
	cd clusters/controlplane && go test $(LIGHT)

.PHONY: test-race
test-race: ## The same under the race detector, libraries only
	go test -race $(LIBRARIES)
	cd clusters/controlplane && go test -race $(LIGHT)

.PHONY: test-integration
test-integration: controlplane ## Tests against a live embedded control plane
	go test -tags integration -count=1 -timeout 20m -p 1 $(LIVE)
	cd clusters/controlplane && $(HEAVY) ./...

.PHONY: cause-lab
cause-lab: controlplane ## Inject one cause of slowness at a time and see whether it is named (about an hour): SEED, BURSTS=5, ARTIFACTS
	go test -tags integration -count=1 -timeout 3h -v -run '^TestCauseLab$$' ./test/causes -args -lab -document $(CURDIR)/docs/attribution.md \
		$${SEED:+-seed "$$SEED"} $${BURSTS:+-bursts "$$BURSTS"} $${ARTIFACTS:+-artifacts "$$(realpath -m "$$ARTIFACTS")"}

.PHONY: node-image
node-image: ## Build the kind node image without a registry (root, Docker, debootstrap; once)
	@go run ./cmd/podburst node-image build

.PHONY: test-kind
test-kind: node-image ## Tests against real kind clusters (a Docker engine; .ci/docker-engine brings one)
	go test -tags kind -count=1 -timeout 60m -p 1 ./clusters/kind/ ./test/...

.PHONY: test-browser
test-browser: ## The HTML report in headless Chromium (Debian: apt-get install chromium)
	@command -v chromium >/dev/null || { echo "make test-browser needs chromium: apt-get install chromium" >&2; exit 1; }
	go test -tags browser -count=1 ./reports/html

.PHONY: bench
bench: controlplane ## Figures: watcher and analysis, cluster create and delete, spread against its floor
	go test -run '^$$' -bench . -benchmem ./framework/... ./reports/...
	go test -tags integration -run '^$$' -bench . -benchtime 3x -timeout 20m ./clusters/embedded/ ./test/limits/

.PHONY: controlplane
controlplane: ## Build the Kubernetes control plane once (about 10 min cold on 2 cores, then cached)
	@go run ./cmd/podburst controlplane build

.PHONY: lint
lint: $(GOLANGCI) $(ACTIONLINT) ## Static analysis, import rules, formatting, tidy modules, workflows
	@# actionlint hands the workflows' scripts to shellcheck, where that is installed.
	$(ACTIONLINT) .github/workflows/*.yml
	@! command -v shellcheck >/dev/null || shellcheck -S warning hack/*.sh .github/scripts/*.sh .github/actions/*/*.sh
	$(GOLANGCI) run --allow-parallel-runners --build-tags integration,kind,browser ./...
	$(GOLANGCI) run --allow-parallel-runners --build-tags e2e ./e2e/
	go mod tidy -diff
	cd clusters/controlplane && $(abspath $(GOLANGCI)) run --allow-parallel-runners $(LIGHT) && go vet $(LIGHT) && go mod tidy -diff

$(GOLANGCI): tools/go.mod tools/go.sum
	@echo "compiling golangci-lint (a few minutes, once) ..."
	cd tools && go build -o $(abspath $(GOLANGCI)) github.com/golangci/golangci-lint/v2/cmd/golangci-lint

$(ACTIONLINT): tools/actionlint/go.mod tools/actionlint/go.sum
	cd tools/actionlint && go build -o $(abspath $(ACTIONLINT)) github.com/rhysd/actionlint/cmd/actionlint

.PHONY: clean
clean: ## Remove built binaries (not the control plane's cache, not artifacts)
	rm -rf $(BIN)
