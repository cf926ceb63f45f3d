#!/bin/sh
# SPDX-License-Identifier: MIT
# Print the C source that holds files of models as strings, in this order, and the peaks of devices, the last file.
set -e
text()
{
    sed 's/[\\"]/\\&/g; s/^/      "/; s/$/\\n"/' "$1"
}
echo '/* Made by rules/models.sh from the files beside it. */'
echo '#include "vendor/tr_models.h"'
echo '#include "vendor/tr_peaks.h"'
echo
echo 'const struct tr_models_builtin tr_models_builtins[] = {'
while [ $# -gt 1 ]; do
    name=${1##*/}
    echo "    { \"$name\","
    text "$1"
    echo '    },'
    shift
done
echo '    { 0, 0 },'
echo '};'
echo
echo 'const char tr_peaks_builtin[] ='
text "$1"
echo '    ;'
