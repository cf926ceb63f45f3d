#!/bin/sh
# SPDX-License-Identifier: MIT
# A program of PyTorch with emit_itt, where PyTorch was built with ITT, which that of Debian is not.
. "$(dirname "$0")/../harness/tap.sh"
[ -x "$bin/tr-record" ] || skip_all "not built: tr-record"
[ -r "$bin/../contrib/.libs/libtrcapture.so" ] || skip_all "the recorder is not built"
python=${PYTHON:-python3}
$python -c 'import torch.profiler.itt as itt; itt.is_available() or exit(1)' 2>log || skip_all "no PyTorch with ITT"
unset INTEL_ITTNOTIFY_GROUPS
cat >program.py <<'END'
import torch
x = torch.ones(8, 8)
with torch.autograd.profiler.emit_itt():
    for _ in range(5):
        x = torch.matmul(x, x)
END
tr-record -q -o torch.trs "$python" program.py 2>said
is "$? $(grep -v warning said)" "0 " "the program ends as it does alone"
tr-view -q -O tsv --columns name torch.trs | sort | uniq -c | awk '{ print $2, $1 }' >have
is "$(grep -xE 'aten::(matmul|mm) [0-9]+' have | tr '\n' ';')" 'aten::matmul 5;aten::mm 5;' "operators are tasks"
finish
