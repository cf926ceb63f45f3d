#!/bin/sh
# SPDX-License-Identifier: MIT
# Option table = page: every option of a program stands in its page, and nothing else does; the common
# options stand in tr-options(7).
. "$(dirname "$0")/../harness/tap.sh"

# From a page: the names on lines ".It Fl o , Fl -output Ar file" of OPTIONS, as "o output" or "- output".
page_options()
{
    awk '/^\.Sh/ { inside = ($2 == "OPTIONS" || $2 == "COMMON") }
        inside && /^\.It Fl/ {
            letter = "-"
            name = ""
            for (i = 2; i <= NF; i++)
                if ($i == "Fl" && $(i + 1) ~ /^-./)
                    name = substr($(i + 1), 2)
                else if ($i == "Fl")
                    letter = $(i + 1)
            gsub(/\\/, "", name)
            print letter, name
        }' "$1" | sort
}

for t in $(all_built_tools); do
    page=$root/man/$t.1
    [ -f "$page" ] || continue
    $t --option-table | awk -F '\t' '$1 == "own" { print $2, $3 }' | sort >want
    page_options "$page" >have
    diff want have >wrong
    none wrong "$t: options in the table (<) are those in the page (>)"
    $t --option-table | cut -f 3 | sort | uniq -d >wrong
    $t --option-table | cut -f 2 | grep -v '^-$' | sort | uniq -d >>wrong
    none wrong "$t: no option twice"
    $t --help >help
    $t --option-table | cut -f 3 | while read -r name; do
        grep -q -- "--$name" help || echo "$name"
    done >wrong
    none wrong "$t: every option stands in --help"
done

demo=$built/unit/cli_demo # uses all of the frame
if [ -x "$demo" ]; then
    "$demo" --option-table | awk -F '\t' '$1 == "common" { print $2, $3 }' | sort >want
    page_options "$root/man/tr-options.7" >have
    diff want have >wrong
    none wrong "the common options (<) are those in tr-options(7) (>)"
fi
[ "$n_tests" -gt 0 ] || skip_all "no program is built"
finish
