#!/bin/sh
# SPDX-License-Identifier: MIT
# tools.list, Makefile.am, pages, golden cases, completions and README name the same programs.
. "$(dirname "$0")/../harness/tap.sh"
list=$root/tools/tools.list
tools | sort >want

awk -F '\t' '!/^#/ && NF && (NF != 4 || $2 !~ /^[1-9]$/ || $3 !~ /^(yes|no)$/ || $4 == "") { print NR ": " $0 }' \
    "$list" >wrong
none wrong "tools.list: four fields in every line"

# make's continued lines joined, then the words of the one variable
joined()
{
    awk '{ line = line $0 } /\\$/ { sub(/\\$/, " ", line); next } { print line; line = "" }' "$1"
}
joined "$root/tools/Makefile.am" | sed -n 's/^bin_PROGRAMS *+*= *//p' | tr -s ' \t' '\n\n' | grep . | sort >have
diff want have >wrong
none wrong "tools/Makefile.am builds what tools.list names"
joined "$root/man/Makefile.am" >pages

while IFS='	' read -r t section _ brief; do
    case $t in '#'* | '') continue ;; esac
    page=$root/man/$t.$section
    [ -f "$page" ]
    ok $? "$t has a page"
    grep -qE "(^|[ 	])$t\.$section([ 	]|\$)" pages
    ok $? "$t.$section is installed"
    is "$(sed -n 's/^\.Nd //p' "$page" 2>/dev/null)" "$brief" "$t: the page's name line is that of tools.list"
    ls "$root/tests/golden/$t"/*.sh >/dev/null 2>&1
    ok $? "$t has golden cases"
    grep -q "$t" "$root/README.md" 2>/dev/null
    ok $? "$t stands in README.md"
    if [ -x "$bin/$t" ]; then
        said=$($t --help | sed -n 2p)
        is "$(printf '%s' "$said" | cut -c 1 | tr '[:upper:]' '[:lower:]')$(printf '%s' "$said" | cut -c 2-)" \
            "$brief." "$t --help: the line of tools.list"
    fi
done <"$list"

# nothing that is not in the list
for file in "$root"/tools/tr-*.c "$root"/tools/*/tr-*.c; do
    [ -f "$file" ] && basename "$file" .c
done | sort >have
diff want have >wrong
none wrong "one source file per program"
finish
