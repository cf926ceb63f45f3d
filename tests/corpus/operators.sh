#!/bin/sh
# SPDX-License-Identifier: MIT
# Does --by operator reproduce the summaries of operators of TraceLens?
#
# The traces and tables are no part of the source.  TR_CORPUS names the folder above a folder tracelens, TR_CORPUS_CHECK
# the script that compares; without them ../shared, seen from the source tree, is used where it is; else this is skipped.
here=$(cd "$(dirname "$0")" && pwd)
bin=${TR_BIN:-../tools}
python=${PYTHON:-python3}
corpus=${TR_CORPUS:-$here/../../../shared/corpus}/tracelens/tables
check=${TR_CORPUS_CHECK:-$here/../../../shared/check/corpus.py}

skip()
{
    echo "1..0 # SKIP $1"
    exit 0
}

[ -d "$corpus/golden" ] || skip "no corpus (TR_CORPUS)"
[ -f "$check" ] || skip "no script that compares (TR_CORPUS_CHECK)"
[ -x "$bin/tr-breakdown" ] || skip "tr-breakdown is not built"
command -v "$python" >/dev/null || skip "no $python"

# Programs read each trace as it is or as a stream: see harness/forms.c.
built=$(pwd)
# shellcheck source=tests/harness/forms.sh
. "$here/../harness/forms.sh"
one_form operators "$bin"

# Differences that are meant: TraceLens gives work of no operator the name of the call, here it is (none); and it knows
# no launch of fills whose call has no flow.
meant()
{
    case $1 in
    sglang_prefilldecode) echo 2 ;;
    vllm_decode_full | resnet_act_checkpoint_mi300) echo 1 ;;
    *) echo 0 ;;
    esac
}

tests=0
failed=0
for table in "$corpus"/golden/*.ops_summary.tsv; do
    name=$(basename "$table" .ops_summary.tsv)
    case $name in *.compare_* | *.recompute_* | *.inference_* | diff_*) continue ;; esac
    tests=$((tests + 1))
    said=$($python "$check" --corpus "$corpus" --bin "$bin" --features "$here/operators.tsv" \
        --only "$name.ops_summary" 2>&1)
    n=$(printf '%s\n' "$said" | sed -n 's/^FAIL .*: \([0-9]*\) differences.*/\1/p')
    if [ "${n:-0}" -eq "$(meant "$name")" ] && printf '%s\n' "$said" | grep -q 'cells compared'; then
        echo "ok $tests - $name: $(printf '%s\n' "$said" | grep 'cells compared'), ${n:-0} differences, as is meant"
    else
        echo "not ok $tests - $name"
        failed=$((failed + 1))
    fi
    printf '%s\n' "$said" | sed 's/^/# /'
done
echo "1..$tests"
[ $failed -eq 0 ]
