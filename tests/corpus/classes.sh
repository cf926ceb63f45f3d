#!/bin/sh
# SPDX-License-Identifier: MIT
# Do the rules that come with tr-categorize agree with the categories of TraceLens?
#
# The reference tables are no part of the source.  TR_CORPUS names the folder above a folder tracelens
# (golden); without it ../shared/corpus, seen from the source tree, is used where it is; else this is
# skipped.
here=$(cd "$(dirname "$0")" && pwd)
bin=${TR_BIN:-../tools}
python=${PYTHON:-python3}
corpus=${TR_CORPUS:-$here/../../../shared/corpus}/tracelens

skip()
{
    echo "1..0 # SKIP $1"
    exit 0
}

[ -d "$corpus/golden" ] || skip "no corpus (TR_CORPUS)"
[ -x "$bin/tr-categorize" ] || skip "tr-categorize is not built"
command -v "$python" >/dev/null || skip "no $python"
exec "$python" "$here/classes.py" "$corpus" "$bin/tr-categorize"
