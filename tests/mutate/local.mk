# SPDX-License-Identifier: MIT
# Mistakes planted one at a time: see README.md here.  Included by tests/Makefile.am, which has set EXTRA_DIST.
EXTRA_DIST += mutate/README.md mutate/ctext.py mutate/equivalent.txt mutate/mutate.py mutate/selftest.py \
	mutate/taps.py mutate/tests.tsv mutate/tree.py
N = 200
SEED = 1
JOBS = 1
BUDGET = 60
ONLY = *
mutate:
	CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' LIBS='$(LIBS)' ARCHIVE_LIBS='$(ARCHIVE_LIBS)' PYTHONDONTWRITEBYTECODE=1 $${PYTHON:-python3} -u \
	    $(srcdir)/mutate/mutate.py -n $(N) --seed $(SEED) --jobs $(JOBS) --budget $(BUDGET) --only '$(ONLY)' \
	    --work mutate.work $(top_srcdir) $(top_builddir)
.PHONY: mutate

distclean-local:
	rm -rf mutate.work
