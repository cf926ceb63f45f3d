# Truth: by the page.  Inputs that hold the same events are refused, whatever gives their ranks; both are named.
# trace RANK PID START: a member for the rank, or nothing
trace()
{
    echo "{$1\"traceEvents\": ["
    echo "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"add\", \"pid\": $2, \"tid\": 1, \"ts\": $3, \"dur\": 4},"
    echo "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": $4, \"tid\": 7, \"ts\": 20, \"dur\": 9, \"args\": {\"device\": 0, \"stream\": 7}}"
    echo "]}"
}
mkdir job
trace '"distributedInfo": {"rank": 0}, ' 31 3 0 >job/r0.json
trace '"distributedInfo": {"rank": 1}, ' 32 5 0 >job/r1.json
trace '' 31 3 0 >plain.json
trace '' 77 3 0 >other.json
cp plain.json copy.json
# a file that was merged from both, with their ranks in pids
{
    echo '{"traceEvents": ['
    trace '' '"[TP00] 31"' 3 '"[TP00] 0"' | sed '1d;$d' | sed '$s/$/,/'
    trace '' '"[TP01] 32"' 5 '"[TP01] 0"' | sed '1d;$d'
    echo ']}'
} >both.json
refused()
{
    tr-merge -o out.trs "$@" 2>&1 || echo "$?"
}
refused job/r0.json job/r0.json
refused plain.json plain.json
refused plain.json copy.json
tr-parse -o plain.trs plain.json
refused plain.json plain.trs
refused both.json job/r1.json
refused job/r0.json job/r1.json both.json
tr-merge -o all.trs job/r0.json job/r1.json
refused job/r0.json job/r1.json all.trs
tr-filter 'dur > 5us' job/r1.json >some.trs
refused job/r1.json some.trs
tr-merge -o job/all.trs job/r0.json job/r1.json
tr-report -q job 2>&1 || echo $?
echo "== other events of one process, at one time"
sed 's/"ts": 20/"ts": 21/' job/r0.json >later.json
refused job/r0.json later.json
echo "== other events"
refused plain.json other.json && ls out.trs
refused --renumber job/r0.json job/r0.json && tr-info -q -O json out.trs | jq -c '[.sources[].rank]'
tr-diff -q --by name -O tsv --columns name,change --base job/r0.json --test job/r0.json
