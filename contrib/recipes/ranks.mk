# SPDX-License-Identifier: MIT
# ranks.mk: make reports from the traces of all ranks of a job; later runs repeat only what has changed.
#
#     make -j8 -f ranks.mk TRACES='run7/rank*.json.gz'
#     make -j8 -f ranks.mk TRACES='run7/rank*.json.gz' page
#
# Each trace is parsed once, into its own stream.  tr-merge makes one stream of these, and the reports are made from
# it.  When the trace of a rank changes, or a rank is added, only that rank is parsed again; then the reports of all
# ranks are made again.  Unfinished files are removed, so a run may be interrupted and started again.
#
# The target page needs no streams: it saves what each trace adds to the page of tr-report, 50 KB, and makes the page of
# these parts.  A trace that is refused is named in OUT/missing, with the reason; then the page is about the others, and
# make fails at its end.
#
# Needs GNU make 4 or later; names of traces must not contain blanks.
#
#   variable     default            meaning
#   TRACES       rank*.json*        the traces: names, or patterns as the shell has them
#   OUT          reports            folder for all output
#   RANK_FROM                       source of ranks, see tr-options(7): metadata, name, order
#   PARSE_FLAGS  -j 1               options of tr-parse; make runs several programs at a time
#   MERGE_FLAGS                     options of tr-merge
#   ALIGN_FLAGS                     options of tr-align: --drift for long runs
#   PART_FLAGS   -j 1               options of tr-report for each trace: --where EXPR
#   REPORT_FLAGS                    options of tr-report for the page: --sections all
#   EXPECT                          ranks that must be there, as 0..1023: those without a trace are missing, too
#   TR                              folder of the programs, with a slash after it, if not on the PATH
#
#   target       what is made
#   all          all reports but the page (default)
#   page         OUT/report.html and OUT/report.txt, and what they lack in OUT/missing
#   streams      OUT/streams/NAME.trs of each trace
#   job          OUT/job.trs, the stream of all ranks
#   aligned      OUT/aligned.trs, the same on one clock; unchanged if the clocks cannot be estimated
#   clean        remove the output

TRACES ?= rank*.json*
OUT ?= reports
RANK_FROM ?=
PARSE_FLAGS ?= -j 1
MERGE_FLAGS ?=
ALIGN_FLAGS ?=
PART_FLAGS ?= -j 1
REPORT_FLAGS ?=
EXPECT ?=
TR ?=

traces := $(sort $(foreach pattern,$(TRACES),$(or $(wildcard $(pattern)),$(error no trace: $(pattern)))))
$(if $(traces),,$(error TRACES names no trace))

# run7/node1/rank0.json.gz -> OUT/streams/run7_node1_rank0.trs
name = $(subst /,_,$(patsubst %.json,%,$(patsubst %.gz,%,$(patsubst ./%,%,$(1)))))
stream = $(OUT)/streams/$(call name,$(1)).trs
streams := $(foreach trace,$(traces),$(call stream,$(trace)))
ifneq ($(words $(streams)),$(words $(sort $(streams))))
$(error two traces would make one stream: $(streams))
endif

reports := $(addprefix $(OUT)/,info.json breakdown.tsv types.tsv overlap.tsv comm.tsv stragglers.tsv)

.PHONY: all page streams job aligned clean
.DELETE_ON_ERROR:
all: $(reports)
streams: $(streams)
job: $(OUT)/job.trs
aligned: $(OUT)/aligned.trs

define parse
$(call stream,$(1)): $(1) | $(OUT)/streams
	$(TR)tr-parse $(PARSE_FLAGS) -o $$@ $$<
endef
$(foreach trace,$(traces),$(eval $(call parse,$(trace))))

$(OUT)/streams:
	mkdir -p $@

# The list changes when a rank is added or left out; it is written only then.
$(OUT)/job.list: force | $(OUT)/streams
	@$(file >$@.new,$(streams)) cmp -s $@.new $@ && rm $@.new || mv $@.new $@
.PHONY: force
force:

$(OUT)/job.trs: $(OUT)/job.list $(streams)
	tr ' ' '\n' <$< | tr '\n' '\000' | \
	    $(TR)tr-merge $(if $(RANK_FROM),--rank-from $(RANK_FROM)) $(MERGE_FLAGS) --files0-from - -o $@

# Status 1: too little is known about the clocks, as tr-align says.
$(OUT)/aligned.trs: $(OUT)/job.trs
	$(TR)tr-align $(ALIGN_FLAGS) -o $@ $< || { [ $$? -eq 1 ] && $(TR)tr-merge -o $@ $<; }

$(OUT)/info.json: $(OUT)/aligned.trs
	$(TR)tr-info -O json -o $@ $<
$(OUT)/breakdown.tsv: $(OUT)/aligned.trs
	$(TR)tr-breakdown -O tsv -o $@ $<
$(OUT)/types.tsv: $(OUT)/aligned.trs
	$(TR)tr-breakdown --by type --per rank -O tsv -o $@ $<
$(OUT)/overlap.tsv: $(OUT)/aligned.trs
	$(TR)tr-overlap -O tsv -o $@ $<
$(OUT)/comm.tsv: $(OUT)/aligned.trs
	$(TR)tr-comm -O tsv -o $@ $<
$(OUT)/stragglers.tsv: $(OUT)/aligned.trs
	$(TR)tr-comm --by straggler -O tsv -o $@ $<

# What a program said about a trace is the sign that it was read; of one that is refused there is no part.
said := $(foreach trace,$(traces),$(OUT)/said/$(call name,$(trace)))
define part
$(OUT)/said/$(call name,$(1)): $(1) | $(OUT)/parts $(OUT)/said
	@rm -f $(OUT)/parts/$(call name,$(1)).part
	$(TR)tr-report $(PART_FLAGS) --save-partial $(OUT)/parts/$(call name,$(1)).part $$< 2>$$@ || \
	    case $$$$? in 2 | 3) ;; *) cat $$@ >&2; false ;; esac
endef
$(foreach trace,$(traces),$(eval $(call part,$(trace))))

$(OUT)/parts $(OUT)/said:
	mkdir -p $@

define newline


endef
$(OUT)/parts.list: force | $(OUT)/parts
	@$(file >$@.new,$(foreach trace,$(traces),$(call name,$(trace)) $(trace)$(newline))) \
	    cmp -s $@.new $@ && rm $@.new || mv $@.new $@

report = $(TR)tr-report -q $(REPORT_FLAGS) $(if $(EXPECT),--expect-ranks $(EXPECT))
$(OUT)/missing: $(OUT)/parts.list $(said)
	@ls $(OUT)/parts | awk 'NR == FNR { keep[$$1 ".part"]; next } !($$1 in keep)' $< - | \
	    while read -r part; do rm $(OUT)/parts/$$part; done # of traces that are no longer there
	@while read -r name trace; do \
	    [ ! "$$name" ] || [ -f $(OUT)/parts/$$name.part ] || \
	        printf '%s: %s\n' "$$trace" "$$(tail -n 1 $(OUT)/said/$$name)"; \
	done <$< >$@.new
	$(report) -o $(OUT)/report.txt $(OUT)/parts 2>>$@.new || [ $$? -eq 5 ] || { cat $@.new >&2; false; }
	said=$$($(report) -O html -o $(OUT)/report.html $(OUT)/parts 2>&1) || [ $$? -eq 5 ] || { echo "$$said" >&2; false; }
	@mv $@.new $@

page: $(OUT)/missing
	@cat $< >&2; [ ! -s $< ]

clean:
	rm -f $(reports) $(OUT)/aligned.trs $(OUT)/job.trs $(OUT)/job.list $(OUT)/streams/*.trs
	rm -f $(OUT)/report.html $(OUT)/report.txt $(OUT)/missing $(OUT)/missing.new
	rm -f $(OUT)/parts.list $(OUT)/parts/*.part $(OUT)/said/*
	-rmdir $(wildcard $(OUT)/streams $(OUT)/parts $(OUT)/said) $(OUT)
