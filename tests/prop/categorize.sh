#!/bin/sh
# SPDX-License-Identifier: MIT
# Property: tr-categorize takes the rule that a naive reading of the rules takes, on random rules and names.
. "$(dirname "$0")/../harness/tap.sh"
for t in tr-categorize tr-view; do
    [ -x "$bin/$t" ] || skip_all "$t is not built"
done
python=${PYTHON:-python3}
command -v "$python" >said || skip_all "no $python"
"$python" "$here/categorize.py" "$bin" "${TR_SEEDS:-40}" >said 2>&1
is $? 0 "classes and kinds of $(tail -n 1 said)"
sed 's/^/# /' said
finish
