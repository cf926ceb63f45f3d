#!/bin/sh
# SPDX-License-Identifier: MIT
# Each table describes its columns without input and without options that are needed otherwise, and the pages have
# exactly these columns, with these units.  views.tsv lists the tables; harness/page-columns writes the pages.
. "$(dirname "$0")/../harness/tap.sh"
list=$here/views.tsv
tab=$(printf '\t')

# said OPTIONS...: describe the columns of a table of $program, "~" being a blank.
described()
{
    n=$#
    for word; do
        set -- "$@" "$(echo "$word" | tr '~' ' ')"
    done
    shift "$n"
    "$program" "$@" --help-columns -O tsv </dev/null >have 2>said
}

awk -F '\t' '!/^#/ && NF != 3 { print NR ": " $0 }' "$list" >wrong
none wrong "three fields in each line of views.tsv"
grep -v '^#' "$list" >rows
while IFS=$tab read -r program options heading <&3; do
    [ "$options" != - ] || options=
    what="$program $options"
    [ -x "$bin/$program" ] || { skip "$what: columns" "not built"; continue; }
    # shellcheck disable=SC2086 # several words
    described $options
    status=$?
    {
        [ $status -eq 0 ] || echo "status $status"
        grep -v 'the data has more columns' said
        head -n 1 have | grep -qx "column${tab}type${tab}unit${tab}role${tab}shown${tab}meaning${tab}chart" || echo "no header"
        [ "$(wc -l <have)" -gt 1 ] || echo "no column"
        awk -F '\t' 'NR > 1 && ($1 == "" || $2 == "" || $4 == "" || $6 == "") { print "not described: " $0 }
            NR > 1 && $2 == "time" && $1 !~ ("_" $3 "$") { print "not its unit: " $0 }
            seen[$1]++ { print "twice: " $0 }
            NR > 1 && $7 != "" { split($7, word, " "); kinds[word[1]] = 1; parts[word[2]]++ }
            END {
                for (kind in kinds)
                    n++
                if (n > 1 || (n && (parts["x"] != 1 || !parts["y"])))
                    print "a chart needs one kind, one x and a y"
            }' have
    } >wrong
    none wrong "$what: columns are described without input"
done 3<rows

# Choices that say which table, and tables of columns.tsv.
for program in $(built_tools); do
    "$program" --option-table >options
    grep -q "$tab"help-columns"$tab" options || continue
    awk -F '\t' '$1 == "own" && $3 ~ /^by$/ && $6 == "choice" { print $3 " " $7 }' options |
        while read -r option words; do
            for word in $(echo "$words" | tr ',' ' '); do
                grep -q "^$program$tab--$option $word$tab" rows || echo "--$option $word"
            done
        done >wrong
    cut -f 1,2 "$here/columns.tsv" | awk -F '\t' -v p="$program" '$1 == p && $2 !~ /^--op / { print $2 }' | sort -u |
        while read -r options; do
            grep -qe "^$program$tab$options$tab" rows || echo "$options"
        done >>wrong
    none wrong "$program: every table is listed"
done

for program in $(cut -f 1 rows | sort -u); do
    page=$root/man/$program.1
    [ -x "$bin/$program" ] || { skip "$program.1: columns" "not built"; continue; }
    "$here/../harness/page-columns" "$page" "$bin" "$list" >want
    diff "$page" want >wrong
    none wrong "$program.1: columns are those of the program (harness/page-columns writes them)"

    awk '/columns: as the program/ { inside = 1 } /columns: end/ { inside = 0 } inside && /^\.Va/' "$page" |
        sed 's/ Pq [^ ]*//; s/^\.Va //; s/ , */\n/g; s/ ,$//' >columns
    # what the text calls a column: arguments of Va in OUTPUT; groups have columns with --per
    "$program" --option-table | cut -f 3 | grep -qx per && printf '%s\n' rank device stream step >>columns
    awk '/^\.Sh/ { inside = $2 == "OUTPUT" } inside && /^\.(It )?Va / {
            for (i = 1; i <= NF && $i !~ /^(No|Ns|Pq|Li|Ql)$/; i++)
                if ($i !~ /^(\.Va|\.It|Va|[(),.:;]+|\.\.\.)$/)
                    print $i
        }' "$page" | sort -u | grep -vxFf columns >wrong
    none wrong "$program.1: OUTPUT names no other column"
done
finish
