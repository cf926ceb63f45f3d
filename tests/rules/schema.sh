#!/bin/sh
# SPDX-License-Identifier: MIT
# Tables of events in tr-tables(7) are those that tr-view makes (harness/page-schema writes them), with the meanings of
# tr-expr(7); sheets of TraceLens in tr-migrate(7) are those that programs write.
. "$(dirname "$0")/../harness/tap.sh"
for program in tr-view tr-breakdown tr-roofline tr-comm tr-report; do
    [ -x "$bin/$program" ] || skip_all "$program is not built"
done
python=${PYTHON:-python3}
"$bin/tr-parse" --version | grep -q sqlite3 || skip_all "programs were built without sqlite3"

page=$root/man/tr-tables.7
"$python" "$here/../harness/page-schema" "$page" "$bin" "$root/contrib/sample/rank0.json.gz" >want
diff "$page" want >wrong
none wrong "tr-tables(7) has the schema of the programs (harness/page-schema writes it)"

sed -n '/^\.Va events :/,/^\.El/s/^\.It Va \([a-z_]*\) Ta [^ ]* Ta /\1\t/p' want | sed 's/^\([a-z_]*\)_ns\t/\1\t/' >columns
[ "$(wc -l <columns)" -gt 40 ] && [ "$(cut -f 2 columns | grep -c .)" -eq "$(wc -l <columns)" ]
ok $? "each column of events has a meaning"
sed -n '/^\.It Sy Field Ta Sy Type/,/^\.El/s/^\.It \([a-z_]*\) Ta [a-z ]* Ta /\1\t/p' "$root/man/tr-expr.7" >fields
awk -F '\t' 'NR == FNR { of[$1] = $2; next } index(of[$1], $2) != 1 { print $1 ": " $2 ", not " of[$1] }' fields columns >wrong
none wrong "they are those of tr-expr(7)"

# sheets FILE: names of the sheets of a workbook
sheets()
{
    "$python" -c 'import re, sys, zipfile
print(*re.findall(r"<sheet name=\"(.*?)\"", zipfile.ZipFile(sys.argv[1]).read("xl/workbook.xml").decode()), sep="\n")' "$1"
}

cp "$root"/contrib/sample/rank?.json.gz .
sed -n '/^\.It Sy Sheet Ta Sy View/,/^\.El/s/^\.It \([a-z0-9_]*\) Ta \(.*\) Ta \([a-z-]*\)$/\1\t\2\t\3/p' "$root/man/tr-migrate.7" >known
while IFS="$(printf '\t')" read -r sheet view section; do
    rm -f x.xlsx
    # shellcheck disable=SC2086 # several words
    [ "$view" = - ] || { $view -q -O xlsx -o x.xlsx rank0.json.gz rank1.json.gz && sheets x.xlsx | grep -qx "$sheet"; } ||
        echo "$view: not $sheet"
    [ "$section" = - ] ||
        { tr-report -q --sections "$section" -O xlsx -o x.xlsx rank0.json.gz rank1.json.gz && sheets x.xlsx | grep -qx "$sheet"; } ||
        echo "section $section: not $sheet"
done <known >wrong 2>&1
none wrong "sheets of TraceLens have its names"
awk -F '\t' '{ n += ($2 != "-") + ($3 != "-") } END { print n }' known >want
grep -c '^    { "[a-z_]*", "[a-z0-9_]*" },$' "$root/tools/cli/cli_book.c" >have
diff have want >wrong
none wrong "tr-migrate(7) lists all of them"
finish
