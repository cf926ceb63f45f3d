# SPDX-License-Identifier: MIT
# gate.mk: did this build become slower?  Traces of it against baselines under version control, for CI.
#
#     make -f gate.mk RUNS=runs BASELINES=perf accept      make baselines of the present traces; commit them
#     make -k -f gate.mk RUNS=runs BASELINES=perf          compare; fails if a condition is true or data is missing
#
# Each folder below RUNS is a case and has its traces, one per rank: runs/resnet/rank0.json.gz ...  All cases are
# compared, also after one has failed.  CONDITIONS is a file with a condition of tr-diff(1) on each line.  Empty lines
# and lines that begin with # are ignored:
#
#     # mean step: slower by 2 %, and by more than 4 standard errors
#     step.diff_pct > 2% && step.sigma > 4
#     # any kernel: slower by 5 % and 50 us
#     side == device && diff_pct > 5% && diff_us > 50us
#
# Needs GNU make 4 or later; names must not contain blanks.
#
#   variable     default            meaning
#   RUNS         runs               folder that has a folder of traces for each case
#   PATTERN      *.json*            traces in the folder of a case
#   BASELINES    baselines          folder that has CASE.part of each case
#   CONDITIONS   BASELINES/gate     file with the conditions
#   VIEW         kernel             of tr-diff --by, for accept
#   COVERAGE                        least coverage of the traces, for accept and check: 0.95
#   DIFF_FLAGS                      more options of tr-diff, for accept and check: --drop-last-step
#   OUT          gate               folder for all output
#   TR                              folder of the programs, with a slash after it, if not on the PATH
#
#   target       what is made
#   check        OUT/CASE.xml (JUnit) and OUT/CASE.md of each case, and the verdict (default)
#   accept       BASELINES/CASE.part of each case
#   clean        remove the output

RUNS ?= runs
PATTERN ?= *.json*
BASELINES ?= baselines
CONDITIONS ?= $(BASELINES)/gate
VIEW ?= kernel
COVERAGE ?=
DIFF_FLAGS ?=
OUT ?= gate
TR ?=

cases := $(sort $(notdir $(patsubst %/,%,$(dir $(wildcard $(RUNS)/*/$(PATTERN))))))
$(if $(cases),,$(error no traces: $(RUNS)/*/$(PATTERN)))

.PHONY: check accept clean $(cases:%=accept-%)
.DELETE_ON_ERROR:

check: $(cases:%=$(OUT)/%.status)
	@failed=0; for case in $(cases); do \
	    read -r status <$(OUT)/$$case.status; \
	    echo "$$case: $$status"; \
	    [ "$$status" = pass ] || failed=1; \
	done; exit $$failed
accept: $(cases:%=accept-%)

define parse
$(OUT)/$(1).trs: $(wildcard $(RUNS)/$(1)/$(PATTERN)) | $(OUT)
	$(TR)tr-merge -o $$@ $$^
endef
$(foreach case,$(cases),$(eval $(call parse,$(case))))

$(OUT) $(BASELINES):
	mkdir -p $@

flags = $(DIFF_FLAGS) $(if $(COVERAGE),--min-coverage $(COVERAGE))

# The XML and the page are there whatever the verdict is; what the program says goes to the log of the job.
$(cases:%=$(OUT)/%.status): $(OUT)/%.status: $(OUT)/%.trs $(BASELINES)/%.part $(CONDITIONS)
	@set --; while IFS= read -r line || [ "$$line" ]; do \
	    case $$line in ''|'#'*) ;; *) set -- "$$@" --fail-if "$$line" ;; esac; \
	done <$(CONDITIONS); \
	[ $$# -gt 0 ] || { echo "$(CONDITIONS): no conditions" >&2; exit 2; }; \
	rm -f $(OUT)/$*.xml $(OUT)/$*.md; \
	echo "$(TR)tr-diff --base $(BASELINES)/$*.part $(OUT)/$*.trs"; \
	$(TR)tr-diff $(flags) --base $(BASELINES)/$*.part "$$@" -O junit -o $(OUT)/$*.xml $<; status=$$?; \
	$(TR)tr-diff -q $(flags) --base $(BASELINES)/$*.part "$$@" -O md --top 20 -o $(OUT)/$*.md $< 2>/dev/null; \
	case $$status in 0) echo pass ;; 1) echo regression ;; 3) echo missing ;; 5) echo coverage ;; \
	*) exit $$status ;; esac >$@

$(cases:%=accept-%): accept-%: $(OUT)/%.trs | $(BASELINES)
	$(TR)tr-diff $(flags) --by $(VIEW) --save-partial $(BASELINES)/$*.part $<

clean:
	rm -f $(foreach case,$(cases),$(foreach end,trs status xml md,$(OUT)/$(case).$(end)))
	-rmdir $(OUT)
