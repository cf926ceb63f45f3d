#!/bin/sh
# SPDX-License-Identifier: MIT
# The rooms of libcore: each folder includes from those that CONTRIBUTING.md says, and from nowhere else.
. "$(dirname "$0")/../harness/tap.sh"

# uses FILE: "room used used...", a line for each room of the table of a page
uses()
{
    sed -n 's/^| \(`[^|]*`\) |[^|]*| \([^|]*\) |$/\1|\2/p' "$1" | tr -d '`' |
        awk -F '|' '{ n = split($1, room, ", *"); for (i = 1; i <= n; i++) print room[i], ($2 == "-" ? "" : $2) }'
}

# judge TOP TABLE: the includes below TOP/libcore that the table does not allow, and rooms that it does not have
judge()
{
    (cd "$1/libcore" && find . -name '*.[ch]' | sed 's|^\./||' | grep / | sort >"$tmp/files" &&
        awk '
        FILENAME == ARGV[1] { known[$1] = 1; for (i = 2; i <= NF; i++) may[$1, $i] = 1; next }
        function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
        function top(path) { sub(/\/.*/, "", path); return path }
        function allowed(own, other) {
            if (own == other || (own, other) in may) return 1
            if ((own, top(other) "/*") in may) return 1
            # a room covers its inner rooms for those outside of it
            return top(own) != top(other) && (own, top(other)) in may
        }
        FNR == 1 && !known[folder(FILENAME)] && !missed[folder(FILENAME)]++ { print folder(FILENAME) " is not in the table" }
        /^[ \t]*#[ \t]*include[ \t]*"/ {
            split($0, part, "\"")
            if (part[2] == "tracepipe.h") next
            if (!allowed(folder(FILENAME), folder(part[2]))) print FILENAME " includes " part[2]
        }' "$2" $(cat "$tmp/files"))
}

uses "$root/CONTRIBUTING.md" >table
[ "$(wc -l <table)" -gt 30 ]
ok $? "CONTRIBUTING.md has the rooms"
cut -d ' ' -f 1 table | while read -r room; do
    [ -n "$(find "$root/libcore/$room" -maxdepth 1 -name '*.[ch]' 2>/dev/null)" ] || echo "$room"
done >wrong
none wrong "each of them has files"
judge "$root" "$tmp/table" >wrong
none wrong "a room includes only from those that it uses"

# no room above 9,500 lines, none of analysis/ above 7,000
for room in $(cut -d ' ' -f 1 table); do
    lines=$(cat "$root/libcore/$room"/*.[ch] | wc -l)
    case $room in analysis*) limit=7000 ;; *) limit=9500 ;; esac
    [ "$lines" -le $limit ] || echo "$room: $lines lines"
done >wrong
none wrong "no room is too large"

# planted: a room that is not in the table, and includes that it does not allow
mkdir -p planted/libcore/base planted/libcore/stream/sort planted/libcore/stream/merge planted/libcore/model planted/libcore/new
cd planted/libcore || exit 99
: >base/a.h
echo '#include "base/a.h"' >new/a.h
echo '#include "model/a.h"' >base/b.h
echo '#include "stream/merge/a.h"' >stream/sort/a.h
echo '#include "base/a.h"' >stream/merge/a.h
echo '#include "stream/merge/a.h"' >model/a.h
cd "$tmp" || exit 99
printf '%s\n' '| room | contents | uses |' '| `base` | x | - |' '| `stream/sort`, `stream/merge` | x | `base` `stream` |' \
    '| `model` | x | `base` `stream` |' >page
uses page >table
is "$(judge planted "$tmp/table" | sort)" "base/b.h includes model/a.h
new is not in the table
new/a.h includes base/a.h
stream/sort/a.h includes stream/merge/a.h" "what a table does not allow is found"

grep -lE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]jsmn\.h' $(find "$root/libcore" "$root/tools" -name '*.[ch]') | grep -v '/libcore/json/' >wrong
none wrong "jsmn.h is included in json only"
grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*".*\.c"' $(find "$root/libcore" "$root/tools" -name '*.[ch]') >wrong
none wrong "no file includes a .c file"
finish
