# SPDX-License-Identifier: MIT
# The programs of `make bench', built on demand.  Included by tests/Makefile.am, which has set
# EXTRA_PROGRAMS and EXTRA_DIST.
# measure is built for the tests, too.
bench_programs = bench/yardstick bench/measure bench/inflate bench/readback
EXTRA_PROGRAMS += bench/yardstick bench/inflate bench/readback
bench_yardstick_SOURCES = bench/yardstick.c
bench_measure_SOURCES = bench/measure.c
bench_inflate_SOURCES = bench/inflate.c
bench_readback_SOURCES = bench/readback.c
bench_readback_LDADD = ../libcore/libtrprivate.la
EXTRA_DIST += bench/run.sh bench/dom.cpp bench/names.cpp bench/merge.py bench/python.py

bench: $(bench_programs)
	TR_BIN=../tools BENCH_BIN=bench TR_GEN=$${TR_GEN:-gen/trgen} \
		$(SHELL) $(srcdir)/bench/run.sh

# Time and memory against size: curve.tsv, and with gnuplot curve.svg and curve.png.
curve: bench/measure gen/trgen
	TR_BIN=../tools BENCH_BIN=bench TR_GEN=$${TR_GEN:-gen/trgen} \
		$(SHELL) $(top_srcdir)/contrib/curve.sh $(abs_top_builddir)
# Partial results against the number of ranks: curve-ranks.tsv; variables in the script.
curve-ranks: bench/measure
	TR_BIN=../tools BENCH_BIN=bench $(SHELL) $(top_srcdir)/contrib/curve-ranks.sh $(abs_top_builddir)
.PHONY: bench curve curve-ranks

# Time of 2N events over that of N, for many shapes of traces and all commands: half an hour.
# DOUBLING holds options of doubling.py, as in make doubling DOUBLING='--shape deep --command tr-sum'.
doubling:
	$${PYTHON:-python3} $(srcdir)/bench/doubling.py --bin ../tools --views $(srcdir)/rules/views.tsv $(DOUBLING)
.PHONY: doubling
EXTRA_DIST += bench/doubling.py

# Time and memory against the number of distinct names, with little memory; variables in bench/names.sh.
names: bench/measure attack/flood
	TR_BIN=../tools $(SHELL) $(srcdir)/bench/names.sh
.PHONY: names
EXTRA_DIST += bench/names.sh
