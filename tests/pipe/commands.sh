#!/bin/sh
# SPDX-License-Identifier: MIT
# A command that a program prints can be pasted: for files whose names have any bytes, a shell finds the same files.
. "$(dirname "$0")/../harness/tap.sh"
for t in tr-parse tr-info tr-report; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
python=${PYTHON:-python3}
"$python" -c '' 2>/dev/null || skip_all "no $python"
bash -c '' 2>/dev/null || skip_all "no bash: sh may not know \$'...'"

cp "$here/../prop/small.json" trace.json || exit 99
: >"$(printf '\377')" 2>/dev/null || skip_all "the file system does not take any name"
"$python" "$here/commands.py" "$bin" "$tmp/trace.json" >wrong || echo "status $?" >>wrong
none wrong "every printed command names the file that was read"
finish
