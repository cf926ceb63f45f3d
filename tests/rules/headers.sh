#!/bin/sh
# SPDX-License-Identifier: MIT
# Every header of libcore compiles by itself as C11, and those for others as C++.
. "$(dirname "$0")/../harness/tap.sh"
cc=${CC:-cc}
cxx=$CXX
echo 'int x;' >x.c
$cc -fsyntax-only x.c 2>/dev/null || skip_all "$cc does not know -fsyntax-only"

headers=$(find "$root/libcore" -name '*.h' | sort)
for path in $headers; do
    header=${path#"$root/libcore/"}
    printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' "$header" "$header" >x.c
    $cc -std=c11 -Wall -Wextra -Werror -fsyntax-only -I"$root/libcore" x.c 2>wrong
    none wrong "$header: C"
    case $header in *_int.h) continue ;; esac
    if [ "$cxx" ]; then
        cp x.c x.cpp
        $cxx -Wall -Wextra -Werror -fsyntax-only -I"$root/libcore" x.cpp 2>wrong
        none wrong "$header: C++"
    else
        skip "$header: C++" "no C++ compiler"
    fi
done

# Each function has a comment: above it, above the lines that it stands with, or after it or one of these.
awk '
    FNR == 1 { said = open = 0 }
    open {
        if (/\/\*/) here = 1
        if (/;/) { if (!here && !said) print FILENAME ": " first; said = said || here; open = 0 }
        next
    }
    /^[ \t]*$/ { said = 0; next }
    /^(\/\*| \*)/ { said = 1; next }
    /^[}#]/ { next }
    /^[a-z].*[ *]tr_[a-z][a-z0-9_]*\(/ && !/^(static|typedef)/ {
        here = /\/\*/
        if (/;/) { if (!here && !said) print FILENAME ": " $0; said = said || here } else { open = 1; first = $0 }
    }
' $(echo "$headers" | grep -v '_int\.h$') >wrong
none wrong "every function for others has a comment"

# Headers that are installed have to do without those that are not.
grep -nE '^[[:space:]]*#[[:space:]]*include.*_int\.h' $headers | grep -v '_int\.h:' >wrong
none wrong "no header for others includes one of libcore's own"
finish
