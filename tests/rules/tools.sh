#!/bin/sh
# SPDX-License-Identifier: MIT
# tools.list, Makefile.am, pages, golden cases, completions, README and tracepipe itself name the same programs, and each
# its question in the same words.
. "$(dirname "$0")/../harness/tap.sh"
list=$root/tools/tools.list
tools | sort >want

awk -F '\t' '!/^#/ && NF && (NF != 5 || $2 !~ /^[1-9]$/ || $3 !~ /^(yes|no)$/ || $4 == "" || $5 !~ /^[A-Z].*[?]$/) { print NR ": " $0 }' \
    "$list" >wrong
none wrong "tools.list: five fields in every line"

# make's continued lines joined, then the words of the one variable
joined()
{
    awk '{ line = line $0 } /\\$/ { sub(/\\$/, " ", line); next } { print line; line = "" }' "$1"
}
joined "$root/tools/Makefile.am" | sed -n 's/^tracepipe_SOURCES *+*= *//p' | tr -s ' \t' '\n\n' |
    sed -n 's|^\(.*/\)\{0,1\}\(tr-[a-z]*\)\.c$|\2|p' | sort >have
diff want have >wrong
none wrong "tools/Makefile.am builds what tools.list names"
joined "$root/man/Makefile.am" >pages

while IFS='	' read -r t section _ brief question; do
    case $t in '#'* | '') continue ;; esac
    page=$root/man/$t.$section
    [ -f "$page" ]
    ok $? "$t has a page"
    grep -qE "(^|[ 	])$t\.$section([ 	]|\$)" pages
    ok $? "$t.$section is installed"
    is "$(sed -n 's/^\.Nd //p' "$page" 2>/dev/null)" "$brief" "$t: the page's name line is that of tools.list"
    is "$(awk '/^\.Sh/ { inside = ($2 == "DESCRIPTION"); next } inside { print; exit }' "$page")" "$question" \
        "$t: its page begins with the question of tools.list"
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

# the screen of tracepipe
if [ -x "$bin/tracepipe" ]; then
    tracepipe >screen
    awk -F '\t' '!/^#/ && NF { printf "  %-12s%s\n", substr($1, 4), $5 }' "$list" >want_lines
    grep '^  ' screen >have
    diff want_lines have >wrong
    none wrong "tracepipe lists the programs with their questions"
    awk 'length > 80 || NR > 30' screen >wrong
    none wrong "on one screen: 30 lines of 80 columns"
else
    skip "tracepipe lists the programs with their questions" "not built: tracepipe"
fi

# nothing that is not in the list
for file in "$root"/tools/tr-*.c "$root"/tools/*/tr-*.c; do
    [ -f "$file" ] && basename "$file" .c
done | sort >have
diff want have >wrong
none wrong "one source file per program"
finish
