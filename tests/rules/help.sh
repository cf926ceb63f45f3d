#!/bin/sh
# SPDX-License-Identifier: MIT
# --help fits a terminal of 80 columns and ends with two examples that run.  Words of options are consistent: a letter
# has one meaning, an option one letter and one kind of value, and a number that is none is refused with one message.
. "$(dirname "$0")/../harness/tap.sh"
tab=$(printf '\t')
for t in tr-parse tr-merge; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done

# What the examples speak of.
cp "$root/contrib/sample/rank0.json.gz" "$root/contrib/sample/rank1.json.gz" .
tr-merge -q -o job.trs rank0.json.gz rank1.json.gz
tr-breakdown --by kernel -O tsv -o kernels.tsv rank0.json.gz
tr-parse -q -o base.trs rank0.json.gz
tr-parse -q -o test.trs rank0.json.gz
printf '{"traceEvents": [
{"ph": "X", "cat": "cuda_profiler_range", "name": "k", "pid": 0, "tid": 0, "ts": 9, "dur": 1, "args": {"flops": 4}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 2, "dur": 1}]}' |
    gzip -c >counters.json.gz
printf '[{"name": "add Cmpt Exec", "ph": "X", "pid": 0, "tid": 7, "ts": 9, "dur": 2,
"attr": {"TS1": "0", "TS2": "1", "TS3": "2", "TS4": "1002", "TS5": "1003"}}]' | gzip -c >aiu0.json.gz

printf 'Kernel, IP[Address], SbidStall[Events]\n"k", 0, 5\n' >metrics_0.csv
mkdir dumps
printf '//.kernel k\n    mov r1 {A@1} // $1\n' >dumps/k.asm

for t in $(built_tools); do
    $t --help >help
    awk 'length > 80' help >wrong
    none wrong "$t --help: 80 columns"
    sed -n '/^Examples:/,$p' help | sed 1d >examples
    is "$(grep -c "^  \(zcat .*| \)\{0,1\}$t " examples) $(wc -l <examples | tr -d ' ')" "2 2" "$t --help: ends with two examples"
    while read -r command <&3; do
        sh -c "$command" >out 2>err
        status=$?
        ls -- *.json flame.html step16.trs aligned.trs 2>/dev/null >made
        [ $status -eq 0 ] && { [ -s out ] || [ -s made ] || echo "$command" | grep -q -- '-o job.trs'; }
        ok $? "$t --help: $command"
        grep -v warning err | sed 's/^/# /'
        xargs rm -f <made
    done 3<examples
    $t --option-table | sed "s/^/$t$tab/" >>all
done

# a letter with two names, or a name with two letters or kinds of values; exceptions are different things of one name
awk -F '\t' '$3 != "-" { print $3, $4 }' all | sort -u | cut -d ' ' -f 1 | uniq -d >wrong
none wrong "a letter stands for one option in all programs"
awk -F '\t' '{ sub(/\[.*/, "", $6) } !($1 == "tr-parse" && $4 == "rank") && !($1 == "tr-info" && $4 == "ranks") && !($1 == "tr-sum" && $4 == "by") {
        print $4, $3, $5, $6 }' all | sort -u | cut -d ' ' -f 1 | uniq -d >wrong
none wrong "an option has one letter and one kind of value in all programs"
cut -f 6 all | grep -vxE -- '-|[A-Z]+|FROM\.\.TO|WxH|A\[\.\.B\]|CODEC\[:LEVEL\]|FILE\|NAME|TABLE\[,KEY\](\.\.\.)?|KEY\[,KEY\]\.\.\.|BINS\|log|include|unitrace' |
    grep -vx "'EXPR scale=X'" >wrong
none wrong "values are called by few names"

# says TOOL NAME VALUE MESSAGE
says()
{
    "$1" "--$2=$3" </dev/null >out 2>err
    [ $? -eq 2 ] && case $(head -n 1 err) in $1:\ option\ --$2:\ "'$3' "$4) true ;; *) false ;; esac
}
awk -F '\t' '{ print $1, $4, $6 }' all >list
while read -r t name value <&3; do
    case $value in
    N)
        for bad in 1.5 12x -7 ''; do
            says "$t" "$name" "$bad" "is not a whole number*" || { echo "$t --$name=$bad"; cat err; }
        done
        ;;
    TIME) says "$t" "$name" 5q "is not a time*" || { echo "$t --$name=5q"; cat err; } ;;
    SIZE) says "$t" "$name" 5q "is not a size*" || { echo "$t --$name=5q"; cat err; } ;;
    SHARE) says "$t" "$name" 1.5 "is not a number from 0 to 1*" || { echo "$t --$name=1.5"; cat err; } ;;
    esac
done 3<list >wrong
none wrong "numbers that are none are refused in one way"

# the unit of a column is the end of its name
while IFS=$tab read -r program options _ <&3; do
    case $options in *~* | -) options= ;; esac
    # shellcheck disable=SC2086 # several words
    "$program" $options --help-columns -O tsv </dev/null 2>/dev/null | awk -F '\t' -v what="$program $options" '
        { unit = $3 == "%" ? "pct" : $3 == "GB/s" ? "GBps" : $3 }
        NR > 1 && unit != "" && $1 !~ ("(^|_)" unit "$") { print what, $1, $3 }'
done 3<<END >wrong
$(grep -v '^#' "$here/views.tsv")
END
none wrong "a column that has a unit ends with it"
finish
