#!/bin/sh
# SPDX-License-Identifier: MIT
# No circles: no file of libcore and tools includes itself by way of others, and no folder another that includes it.
. "$(dirname "$0")/../harness/tap.sh"

# includes TOP: pairs "file included file" below TOP, each name from there; a name that fits no file is printed alone.
includes()
{
    (cd "$1" && find libcore tools -name '*.[ch]' | sort >"$tmp/files" &&
        awk '
        FILENAME == ARGV[1] { is[$1] = 1; next }
        /^[ \t]*#[ \t]*include[ \t]*"/ {
            split($0, part, "\"")
            own = FILENAME
            sub(/[^\/]*$/, "", own)
            if (is["libcore/" part[2]]) print FILENAME, "libcore/" part[2]
            else if (is["tools/" part[2]]) print FILENAME, "tools/" part[2]
            else if (is[own part[2]]) print FILENAME, own part[2]
            else print part[2] "?"
        }' "$tmp/files" $(cat "$tmp/files"))
}

# circles PAIRS: who includes itself, and the members of each circle, as tsort finds them.
circles()
{
    awk '$1 == $2 { print $1 }' "$1"
    tsort "$1" 2>&1 >sorted | sed 's/^tsort: //'
}

# folders: pairs of files as pairs of their folders.
folders()
{
    sed 's|/[^/ ]*\( \)|\1|; s|/[^/]*$||' | awk '$1 != $2' | sort -u
}

includes "$root" >pairs
[ "$(wc -l <pairs)" -gt 100 ]
ok $? "includes are found"
grep '?$' pairs >wrong
none wrong "every file that is included in quotes is one of libcore or tools"
circles pairs >wrong
none wrong "no circles between files"
folders <pairs >between
[ "$(wc -l <between)" -gt 10 ]
ok $? "folders that include from others are found"
circles between >wrong
none wrong "no circles between folders"

# calls BUILD SOURCE: pairs "object used object" of what is built of libcore and tools, by the symbols of nm
calls()
{
    # an object of a file that is gone is not part of the source
    (cd "$1" && find libcore tools -name '*.o' ! -path '*/.libs/*' | sort >"$tmp/objects"
        { (cd "$2" && find libcore tools -name '*.c') && find libcore tools -name '*.c'; } | sed 's/c$/o/' | sort -u |
            comm -12 - "$tmp/objects" | xargs nm -P -g -A) | awk '
        { object = $1; sub(/:$/, "", object) }
        $2 == "main" { next }
        $3 == "U" { used[++n] = object " " $2; next }
        { at[$2] = object }
        END {
            for (i = 1; i <= n; i++) {
                split(used[i], u, " ")
                if ((u[2] in at) && at[u[2]] != u[1]) print u[1], at[u[2]]
            }
        }' | sort -u
}

if command -v nm >/dev/null && [ -n "$(find "$built/../libcore" -name 'tr_*.o' 2>/dev/null | head -n 1)" ]; then
    calls "$(cd "$built/.." && pwd)" "$root" >pairs
    [ "$(wc -l <pairs)" -gt 500 ]
    ok $? "calls between files are found"
    circles pairs >wrong
    none wrong "no file calls itself by way of others"
    folders <pairs >between
    circles between >wrong
    none wrong "no folder calls itself by way of others"
else
    skip "calls between files: nothing is built here, or there is no nm"
fi

# planted: two headers that include each other, and two folders, by files that do not
mkdir -p planted/libcore/base planted/libcore/io planted/tools/cli
cd planted/libcore || exit 99
echo '#include "base/b.h"' >base/a.h
echo ' # include "base/a.h" /* and back */' >base/b.h
echo '#include "io/two.h"' >base/one.c
echo '#include "base/one.h"' >io/two.c
: >base/one.h
: >io/two.h
echo '#include "cli/main.h"' >../tools/one.c
: >../tools/cli/main.h
cd "$tmp" || exit 99
includes planted >pairs
is "$(circles pairs | grep -o 'libcore/[a-z/.]*' | sort | xargs)" "libcore/base/a.h libcore/base/b.h" \
    "two files that include each other are found"
folders <pairs >between
is "$(circles between | grep -o 'libcore/[a-z]*' | sort | xargs)" "libcore/base libcore/io" \
    "two folders that include from each other are found"
echo '#include "base/a.h"' >planted/libcore/base/a.h
rm planted/libcore/base/b.h
includes planted >pairs
is "$(circles pairs)" "libcore/base/a.h" "a file that includes itself is found"

# planted: two files that call each other, and two folders
if command -v "${CC%% *}" >/dev/null 2>&1 || command -v cc >/dev/null; then
    mkdir -p made/libcore/base made/libcore/io made/tools
    echo 'void b(void); void a(void); void a(void) { b(); }' >made/libcore/base/one.c
    echo 'void a(void); void b(void); void b(void) { a(); }' >made/libcore/io/two.c
    echo 'void a(void); void c(void); void c(void) { a(); }' >made/libcore/io/three.c
    (cd made && for c in libcore/*/*.c; do ${CC:-cc} -c -o "${c%.c}.o" "$c" || exit; done)
    calls "$tmp/made" "$tmp/made" >pairs
    is "$(circles pairs | grep -o 'libcore/[a-z/.]*' | sort | xargs)" "libcore/base/one.o libcore/io/two.o" \
        "two files that call each other are found"
    folders <pairs >between
    is "$(circles between | grep -o 'libcore/[a-z]*' | sort | xargs)" "libcore/base libcore/io" \
        "two folders that call each other are found"
fi
finish
