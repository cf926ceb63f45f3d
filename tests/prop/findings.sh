#!/bin/sh
# SPDX-License-Identifier: MIT
# tr-report finds the planted cause of simulated jobs first, says what it costs, and finds nothing in clean jobs.
# In turn, a part of the causes; TR_LONG=1: a plan of 150 jobs of 1 to 64 ranks (findings.py).
. "$(dirname "$0")/lib.sh"
need tr-report
# shellcheck source=tests/harness/slice.sh
. "$root/tests/harness/slice.sh"
which_slice 4
mkdir jobs
if [ "${TR_LONG:-0}" = 1 ]; then
    $python -B "$here/findings.py" "$bin" "$root/tests/gen/job.py" jobs --plan "${TR_JOBS:-150}" --seed "${TR_SEED:-11}"
else
    $python -B "$here/findings.py" "$bin" "$root/tests/gen/job.py" jobs --slice "$slice"
fi
