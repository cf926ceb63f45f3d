#!/bin/sh
# SPDX-License-Identifier: MIT
# Do the scripts of tr-replay build the tensors of real traces, and call their operators with the same values?
#
# The traces are no part of the source.  TR_CORPUS names the folder above a folder tracelens (traces); without it
# ../shared/corpus, seen from the source tree, is used where it is; else this is skipped.
here=$(cd "$(dirname "$0")" && pwd)
bin=${TR_BIN:-../tools}
python=${PYTHON:-python3}
corpus=${TR_CORPUS:-$here/../../../shared/corpus}/tracelens/traces

skip()
{
    echo "1..0 # SKIP $1"
    exit 0
}

[ -d "$corpus" ] || skip "no corpus (TR_CORPUS)"
[ -x "$bin/tr-replay" ] || skip "tr-replay is not built"
command -v "$python" >/dev/null || skip "no $python"

# Programs read each trace as it is or as a stream: see harness/forms.c.
built=$(pwd)
# shellcheck source=tests/harness/forms.sh
. "$here/../harness/forms.sh"
one_form replay "$bin"
"$python" "$here/replay.py" "$bin/tr-replay" "$corpus"/bert_small_mi300.json.gz "$corpus"/qwen_mi300.json.gz \
    "$corpus"/resnet_act_checkpoint_mi300.json.gz "$corpus"/timesformer_mi300.json.gz \
    "$corpus"/hta_sampled_2ranks/rank0_trace.json.gz
