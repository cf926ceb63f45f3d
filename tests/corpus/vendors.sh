#!/bin/sh
# SPDX-License-Identifier: MIT
# Are answers right about traces of AMD and MTIA, of CPUs only, of devices only, and of graph launches?
#
# The traces are no part of the source.  TR_CORPUS names their folder or the one above a folder hta;
# without it ../shared/corpus, seen from the source tree, is used where it is; else this is skipped.
# (golden/TOOL/vendors.sh has small traces of the same kinds.)
here=$(cd "$(dirname "$0")" && pwd)
bin=${TR_BIN:-../tools}
python=${PYTHON:-python3}
corpus=${TR_CORPUS:-$here/../../../shared/corpus}

skip()
{
    echo "1..0 # SKIP $1"
    exit 0
}

[ -d "$corpus" ] || skip "no corpus (TR_CORPUS)"
[ ! -d "$corpus/hta" ] || corpus=$corpus/hta
command -v "$python" >/dev/null || skip "no $python"
for program in tr-breakdown tr-comm tr-counters tr-info tr-launch tr-metrics tr-overlap tr-patterns; do
    [ -x "$bin/$program" ] || skip "$program is not built"
done

# Programs read each trace as it is or as a stream: see harness/forms.c.
built=$(pwd)
# shellcheck source=tests/harness/forms.sh
. "$here/../harness/forms.sh"
one_form vendors "$bin"
"$python" "$here/vendors.py" "$corpus" "$bin"
