#!/bin/sh
# SPDX-License-Identifier: MIT
# Print the C source that holds a file as a string.  usage: text.sh HEADER NAME FILE
set -e
echo "/* Made by rules/text.sh from ${3##*/}. */"
echo "#include \"$1\""
echo
echo "const char $2[] ="
sed 's/[\\"]/\\&/g; s/^/      "/; s/$/\\n"/' "$3"
echo '    ;'
