#!/bin/sh
# SPDX-License-Identifier: MIT
# The package for Python: what is made from the header and the library is up to date; traces, events, tables, failures,
# partial results and threads (package.py); sessions and calls of tr-python(7) (page.py); arrays and streams of Arrow, which a strict importer in C takes over.
. "$(dirname "$0")/../prop/lib.sh"
. "$root/tests/python/lib.sh"
need tr-breakdown tr-diff tr-parse
"$python" "$package/cdef.py" "$root/libcore/tracepipe.h" >cdef
cmp cdef "$package/tracepipe/_cdef.py" >wrong 2>&1
none wrong "_cdef.py is made from tracepipe.h"
"$python" "$package/stubs.py" >stubs
cmp stubs "$package/tracepipe/__init__.pyi" >wrong 2>&1
none wrong "__init__.pyi is made from the library"

"$python" "$root/contrib/notebooks/make-notebook.py" "$root/contrib/notebooks/cause.py" >notebook
cmp notebook "$root/contrib/notebooks/cause.ipynb" >wrong 2>&1
none wrong "the notebook has the cells of its script"

importer=
# shellcheck disable=SC2086 # flags are words
if ${CC:-cc} -std=c11 -Wall -Wextra -Werror -shared -fPIC -I"$root/libcore" -o importer.so "$here/importer.c" 2>said; then
    importer=$tmp/importer.so
fi
"$python" "$here/page.py" "$root/man/tr-python.7" "$root/contrib/sample" >out 2>&1
page=$?
"$python" "$here/package.py" "$bin" "$root/contrib/sample" "$importer" >>out 2>err
status=$?
sed -n 's/^ok - //p' out >passed
while read -r what; do ok 0 "$what"; done <passed
sed -n 's/^not ok - //p' out >failed
while read -r what; do ok 1 "$what"; done <failed
sed -n 's/^skip - //p' out >skipped
while read -r what; do skip "${what%% # *}" "${what##* # }"; done <skipped
is "$page $status" "0 0" "both programs ran to their end"
[ "$page $status" = "0 0" ] || sed 's/^/# /' out err
finish
