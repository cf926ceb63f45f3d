#!/bin/sh
# SPDX-License-Identifier: MIT
# Completions: made for every program, and offering what the option table says; outside/shells.sh loads them.
. "$(dirname "$0")/../harness/tap.sh"
make=$root/contrib/make-completions.sh

# the program that uses all of the frame, and the list of the others
[ -x "$built/unit/cli_demo" ] || skip_all "cli_demo is not built"
printf 'cli_demo\t1\tno\tshow what the frame does\n' >demo.list
sh "$make" bash "$built/unit" demo.list >demo.bash
sh "$make" zsh "$built/unit" demo.list >demo.zsh
sh "$make" fish "$built/unit" demo.list >demo.fish

# offers WANT WORDS...: completing the last of the words gives WANT; from $file
file=./demo.bash
cat >offers.bash <<'END'
. "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_tracepipe 2>/dev/null
echo "${COMPREPLY[*]}"
END
offers()
{
    want=$1
    shift
    is "$(bash offers.bash "$file" "$@")" "$want" "bash: $*"
}
if command -v bash >/dev/null; then
    offers "--output --output-format" cli_demo --out
    offers "--compress" /usr/bin/cli_demo --nothing --com
    offers "text tsv csv json md svg vega html sqlite xlsx" cli_demo --output-format ""
    offers "csv" cli_demo -O c
    offers "always" cli_demo --progress = al
    offers "demo.zsh" cli_demo -x demo.z
    offers "demo.list" cli_demo --output demo.l
    offers "" cli_demo --threads ""
    if [ -x "$bin/tr-breakdown" ] && [ -x "$bin/tr-report" ]; then
        file=./all.bash
        sh "$make" bash "$bin" "$root/tools/tools.list" >all.bash
        offers "report roofline replay record" tracepipe r
        offers "overlap" tracepipe help o
        offers "--help --version" tracepipe --
        offers "--relative" tracepipe breakdown --rel
        offers "--relative" tracepipe tr-breakdown --rel
        offers "ns us ms s" /usr/bin/tracepipe breakdown --unit ""
        offers "demo.zsh" tracepipe report demo.z
        offers "" tracepipe unknown --rel
    else
        skip "tracepipe" "not built: tr-breakdown, tr-report"
    fi
else
    skip "bash" "no bash"
fi
grep -qF '"--output=[write to FILE, which appears only when it is complete \[standard output\]]:FILE:_files"' demo.zsh
ok $? "zsh: a file"
grep -qF '"-O+[format of the report \[\$TR_FORMAT, else text on a terminal, else tsv\]]:FORMAT:(text tsv csv json md svg vega html sqlite xlsx)"' demo.zsh
ok $? "zsh: a choice"

is "$(grep -c '^complete -c cli_demo \(-s [a-zA-Z] \)\{0,1\}-l [a-z-]* .*-d '"'.*'"'$' demo.fish)" \
    "$("$built/unit/cli_demo" --option-table | wc -l | tr -d ' ')" "fish: a line for each option"
grep -qxF "complete -c cli_demo -s o -l output -r -F -d 'write to FILE, which appears only when it is complete [standard output]'" demo.fish
ok $? "fish: a file"
grep -qxF "complete -c cli_demo -s O -l output-format -x -a 'text tsv csv json md svg vega html sqlite xlsx' -d 'format of the report [\$TR_FORMAT, else text on a terminal, else tsv]'" demo.fish
ok $? "fish: a choice"

for t in $(built_tools); do
    sh "$make" fish "$bin" "$root/tools/tools.list" | grep -q "^complete -c $t "
    ok $? "fish: $t"
    for shell in bash zsh; do
        sh "$make" $shell "$bin" "$root/tools/tools.list" | grep -qE "^(complete|#compdef).* $t( |\$)"
        ok $? "$shell: $t"
    done
done
finish
