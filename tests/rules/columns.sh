#!/bin/sh
# SPDX-License-Identifier: MIT
# Each column of each table is compared with numbers found without the programs: columns.tsv says by which test.
# A column that is printed and not listed fails, and so does one whose test does not know it.
. "$(dirname "$0")/../harness/tap.sh"
list=$here/columns.tsv
tests=$root/tests

# printed PROGRAM VIEW: the columns of a view, one a line; "-" is the view without options.
printed()
{
    view_options=$2
    [ "$2" != - ] || view_options=
    case $2 in *\ roof) view_options="$2 --arch H100" ;; esac
    case $2 in *\ ideal | *\ utilization*) view_options="$2 --attach ideal.log" ;; esac
    case $2 in *\ table) "$1" --by table -q -O tsv saved.tsv saved.tsv 2>said | sed -n 1p | tr '\t' '\n'; return ;; esac
    # shellcheck disable=SC2086 # several words
    "$1" $view_options -q -O tsv "$root/contrib/sample/rank0.json.gz" "$root/contrib/sample/rank1.json.gz" 2>said |
        sed -n 1p | tr '\t' '\n'
}

echo '~ Ideal/Total Cycles ~' >ideal.log
printf 'name\tsum_us\na\t1.000\n' >saved.tsv

# Words that may stand after an option.
words()
{
    "$1" --option-table | awk -F '\t' -v o="$2" '"--" $3 == o && $6 == "choice" { print $7 }' | tr ',' '\n'
}

awk -F '\t' '!/^#/ && NF != 4 { print NR ": " $0 }' "$list" >wrong
none wrong "four fields in each line of columns.tsv"
grep -v '^#' "$list" >rows
cut -f 1,2 rows | uniq >views
while IFS='	' read -r program view <&3; do
    [ -x "$bin/$program" ] || { skip "$program $view" "not built"; continue; }
    awk -F '\t' -v p="$program" -v v="$view" '$1 == p && $2 == v { print $3 }' rows >want
    printed "$program" "$view" >have
    diff want have >wrong || cat said >>wrong
    none wrong "$program $view: the columns are those of columns.tsv"
done 3<views

while IFS='	' read -r program view column test <&3; do
    known=$column
    case $test in
    oracle/*) grep -qw -e "$known" "$tests/$test" ;;
    golden/*) grep -q 'Truth' "$tests/$test" && tr '\t' '\n' <"$tests/${test%.sh}.stdout.exact" | grep -qx -e "$known" ;;
    *) false ;;
    esac || echo "$program $view: $column: not in $test"
done 3<rows >wrong
none wrong "each column is known to the test that stands beside it"

# The tables of tr-info are text for people: a case worked out by hand has all of them, with all columns.
headings() { awk 'heading { for (i = 1; i <= NF; i++) print title ": " $i; heading = 0 }
    before == "" && NF { title = $0; heading = 1 } { before = $0 }'; }
headings <"$tests/golden/tr-info/whole.stdout.exact" | sort -u >want
COLUMNS=200 "$bin/tr-info" -q -O text --tracks "$root/contrib/sample/rank0.json.gz" "$root/contrib/sample/rank1.json.gz" |
    sed '/^notes$/,$d' | headings | grep -v canonical | sort -u | comm -23 - want >wrong
none wrong "tr-info: each column of each table is in golden/tr-info/whole"

# The fields of tr-view, as its page lists them, stand in a case worked out by hand.
sed -n '/^\.Ss Fields/,/^\.Ss Tables/s/^\.It Li \([a-z_ ,]*\)$/\1/p' "$root/man/tr-view.1" | tr -d ' ' | tr ',' '\n' | sort >want
grep "^rank	\|^record	" "$tests/golden/tr-view/fields.stdout.exact" | tr '\t' '\n' | sed 's/_us$//' | sort -u >have
comm -23 want have >wrong
[ -s want ] || echo "tr-view.1 lists no fields" >wrong
none wrong "tr-view: each field is in golden/tr-view/fields"

for program in $(cut -f 1 views | sort -u); do
    for word in $(words "$program" --by); do
        grep -q "^$program	\(.* \)\{0,1\}--by $word\$" views || echo "$program --by $word"
    done
done >wrong
none wrong "every view is listed"
finish
