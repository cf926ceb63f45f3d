# The programs of `make bench'; included by tests/Makefile.am, built on demand.
BENCH_PROGRAMS = bench/yardstick bench/measure bench/inflate bench/readback
EXTRA_PROGRAMS = $(BENCH_PROGRAMS)
bench_yardstick_SOURCES = bench/yardstick.c
bench_measure_SOURCES = bench/measure.c
bench_inflate_SOURCES = bench/inflate.c
bench_readback_SOURCES = bench/readback.c
bench_readback_LDADD = ../libcore/libtrcore.la
EXTRA_DIST = bench/run.sh bench/dom.cpp

bench: $(BENCH_PROGRAMS)
	TR_BIN=../tools BENCH_BIN=bench TR_GEN=gen/trgen $(SHELL) $(srcdir)/bench/run.sh
.PHONY: bench
