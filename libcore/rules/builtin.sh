#!/bin/sh
# SPDX-License-Identifier: MIT
# Print the C source that holds the given files of rules as strings, in this order.
set -e
echo '/* Made by rules/builtin.sh from the files beside it. */'
echo '#include "model/tr_rules.h"'
echo
echo 'const struct tr_rules_builtin tr_rules_builtins[] = {'
for file; do
    name=${file##*/}
    kinds=false # does a title set a kind?
    grep -q '^\[.*([a-z]*) if ' "$file" && kinds=true
    echo "    { \"${name%.rules}\", $kinds,"
    sed 's/[\\"]/\\&/g; s/^/      "/; s/$/\\n"/' "$file"
    echo '    },'
done
echo '    { 0, false, 0 },'
echo '};'
