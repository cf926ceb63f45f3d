#!/bin/sh
# SPDX-License-Identifier: MIT
# Are sums, and nodes of graphs, of real traces those that Python finds in their text?
#
# The traces are no part of the source.  TR_CORPUS names their folder or the one above a folder hta;
# without it ../shared/corpus, seen from the source tree, is used where it is; else this is skipped.
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
[ -x "$bin/tr-sum" ] || skip "tr-sum is not built"

# Programs read each trace as it is or as a stream: see harness/forms.c.
built=$(pwd)
# shellcheck source=tests/harness/forms.sh
. "$here/../harness/forms.sh"
one_form sum "$bin"
{
    "$python" "$here/../oracle/graph.py" "$bin" "$corpus"/*.json.gz || echo "not ok 0 - graph.py comes to its end"
    "$python" "$here/../oracle/sums.py" "$bin" "$here/../../man/tr-migrate.7" "$corpus"/*.json.gz ||
        echo "not ok 0 - sums.py comes to its end"
} | awk '
    /^1\.\./ { next }
    /^(not )?ok [0-9]+/ { sub(/ok [0-9]+/, "ok " ++n) }
    { print }
    END { print "1.." n + 0 }'
