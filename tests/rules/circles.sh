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

# circles PAIRS: who includes itself, and the members of each circle, as tsort tells them.
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
    "two files that include each other are told"
folders <pairs >between
is "$(circles between | grep -o 'libcore/[a-z]*' | sort | xargs)" "libcore/base libcore/io" \
    "two folders that include from each other are told"
echo '#include "base/a.h"' >planted/libcore/base/a.h
rm planted/libcore/base/b.h
includes planted >pairs
is "$(circles pairs)" "libcore/base/a.h" "a file that includes itself is told"
finish
