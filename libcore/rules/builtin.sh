#!/bin/sh
# Print the C source that holds the given files of rules as strings, in this order.
set -e
echo '/* Made by rules/builtin.sh from the files beside it. */'
echo '#include "model/tr_rules.h"'
echo
echo 'const struct tr_rules_builtin tr_rules_builtins[] = {'
for file; do
    name=${file##*/}
    echo "    { \"${name%.rules}\","
    sed 's/[\\"]/\\&/g; s/^/      "/; s/$/\\n"/' "$file"
    echo '    },'
done
echo '    { 0, 0 },'
echo '};'
