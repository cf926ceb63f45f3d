# SPDX-License-Identifier: MIT
# aiu.mk: traces of IBM's AIU into a trace for viewers, one file for TensorBoard per rank, and tables.
#
#     make -f aiu.mk TRACES='aiu-rank_*.json'                everything
#     make -f aiu.mk TRACES='aiu-rank_*.json' FREQ=560       the counter's frequency is known
#     make -f aiu.mk TRACES=torch.json CYCLES= workers       times as recorded, without cycle stamps
#
# The targets stand for the profiles of acelyzer.  What a profile switches on and off is a variable here.
# Needs GNU make 4 or later; names of traces must not hold blanks.
#
#   variable     default            meaning
#   TRACES       aiu-*.json*        the traces of all jobs and ranks: names, or patterns as the shell has them
#   OUT          aiu                folder for everything that is made
#   CYCLES       yes                make times of the cycle stamps; empty: leave times as recorded
#   FREQ                            frequency of the counter in MHz, else what the stamps show
#   CYCLES_FLAGS                    more options of tr-cycles: --keep-jobs
#   DROP                            leave events out whose name this regular expression matches: ' Cmpt Prep'
#   OVERLAP      lane               spans that overlap in part: keep, lane, drop, shift, async
#   RULES        aiu.rules beside this file   rules of classes
#   TR                              folder of the programs, with a slash after it, if not on the PATH
#
#   target       what is made                                                   profile
#   all          all that follows but check (default)                           default, everything
#   trace        OUT/trace.json, all ranks for a viewer
#   workers      OUT/worker_RANK.pt.trace.json of each rank                     torch_minimal, with CYCLES=
#   tables       OUT/kernels.tsv, classes.tsv, active.tsv; of cycle stamps also
#                frequency.tsv and jobs.tsv
#   check        status 1 unless all traces are whole and in order              verification
#   clean        remove what was made

TRACES ?= aiu-*.json*
OUT ?= aiu
CYCLES ?= yes
FREQ ?=
CYCLES_FLAGS ?=
DROP ?=
OVERLAP ?= lane
RULES ?= $(dir $(lastword $(MAKEFILE_LIST)))aiu.rules
TR ?=

traces := $(sort $(wildcard $(TRACES)))
$(if $(traces),,$(error no traces: $(TRACES)))

cycles = $(TR)tr-cycles $(if $(FREQ),--freq $(FREQ)) $(CYCLES_FLAGS)
tables := $(addprefix $(OUT)/,kernels.tsv classes.tsv active.tsv $(if $(CYCLES),frequency.tsv jobs.tsv))

.PHONY: all trace workers tables check clean
.DELETE_ON_ERROR:
all: trace workers tables
trace: $(OUT)/trace.json
tables: $(tables)
workers: $(OUT)/workers.list

$(OUT):
	mkdir -p $@

# Parts one after the other, so that the failure of one ends the recipe.
$(OUT)/job.trs: $(traces) $(RULES) | $(OUT)
	$(if $(CYCLES),$(cycles),$(TR)tr-merge) -o $@.times $(traces)
	$(TR)tr-categorize --rules $(RULES) -o $@.classes $@.times
	$(if $(DROP),$(TR)tr-filter -o $@ '!(name =~ "$(DROP)")' $@.classes,mv $@.classes $@)
	rm -f $@.times $@.classes

$(OUT)/trace.json: $(OUT)/job.trs
	$(TR)tr-view --overlap $(OVERLAP) -O chrome -o $@ $<

$(OUT)/workers.list: $(OUT)/job.trs
	$(TR)tr-sum --by rank --stat count -O tsv -o $@ $<
	sed -n '2,$$s/	.*//p' $@ | while read -r rank; do \
	    $(TR)tr-view --rank $$rank --overlap $(OVERLAP) -O chrome -o $(OUT)/worker_$$rank.pt.trace.json $< || exit; \
	done

$(OUT)/kernels.tsv: $(OUT)/job.trs
	$(TR)tr-breakdown --by kernel -O tsv -o $@ $<
$(OUT)/classes.tsv: $(OUT)/job.trs
	$(TR)tr-sum --by rank,class --where 'has(class)' -O tsv -o $@ $<
$(OUT)/active.tsv: $(OUT)/job.trs
	$(TR)tr-breakdown -O tsv -o $@ $<
$(OUT)/frequency.tsv: $(traces) | $(OUT)
	$(cycles) --by frequency -O tsv -o $@ $(traces)
$(OUT)/jobs.tsv: $(traces) | $(OUT)
	$(cycles) --by job -O tsv -o $@ $(traces)

check:
	$(TR)tr-info --check $(traces)

clean:
	rm -f $(tables) $(OUT)/trace.json $(OUT)/worker_*.pt.trace.json $(OUT)/workers.list $(OUT)/job.trs
	-rmdir $(OUT)
