#!/bin/sh
# SPDX-License-Identifier: MIT
# Does tr-categorize read the schemas of unitrace, and sum up as its summaries do?
#
# Schemas, reports and reference results are no part of the source.  TR_CORPUS names the folder above a
# folder unitrace (inputs, golden); without it ../shared/corpus, seen from the source tree, is used where
# it is; else this is skipped.
here=$(cd "$(dirname "$0")" && pwd)
bin=${TR_BIN:-../tools}
python=${PYTHON:-python3}
corpus=${TR_CORPUS:-$here/../../../shared/corpus}/unitrace

skip()
{
    echo "1..0 # SKIP $1"
    exit 0
}

[ -d "$corpus/golden/categorize_small" ] || skip "no corpus (TR_CORPUS)"
[ -x "$bin/tr-categorize" ] || skip "tr-categorize is not built"
command -v "$python" >/dev/null || skip "no $python"

# Programs read each trace as it is or as a stream: see harness/forms.c.
built=$(pwd)
# shellcheck source=tests/harness/forms.sh
. "$here/../harness/forms.sh"
one_form unitrace "$bin"
"$python" "$here/unitrace.py" "$corpus" "$bin/tr-categorize"
