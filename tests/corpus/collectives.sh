#!/bin/sh
# SPDX-License-Identifier: MIT
# Does tr-comm reproduce the collective reports of TraceLens?
#
# The traces and tables are no part of the source.  TR_CORPUS names the folder above a folder
# tracelens (traces, golden); without it ../shared/corpus, seen from the source tree, is used where it
# is; else this is skipped.
here=$(cd "$(dirname "$0")" && pwd)
bin=${TR_BIN:-../tools}
python=${PYTHON:-python3}
corpus=${TR_CORPUS:-$here/../../../shared/corpus}/tracelens

skip()
{
    echo "1..0 # SKIP $1"
    exit 0
}

[ -d "$corpus/golden/nccl_synth_4ranks" ] || skip "no corpus (TR_CORPUS)"
[ -x "$bin/tr-comm" ] || skip "tr-comm is not built"
command -v "$python" >/dev/null || skip "no $python"

# Programs read each trace as it is or as a stream: see harness/forms.c.
built=$(pwd)
# shellcheck source=tests/harness/forms.sh
. "$here/../harness/forms.sh"
one_form collectives "$bin"
"$python" "$here/collectives.py" "$corpus" "$bin/tr-comm"
