# Truth: by hand.  A rank with two devices: device 0 works in 100..180 and 200..300, device 1 in 150..190.  The rank
# works from 100 to 300 and is idle in 190..200; device 0 is idle in 180..200, device 1 before 150 and after 190.  The
# second rank has one device, and the third one two that work as long as each other.
trace() # RANK DEVICE:START:END...
{
    rank=$1
    shift
    echo "{\"distributedInfo\": {\"rank\": $rank}, \"traceEvents\": [{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op\", \"pid\": 9, \"tid\": 1, \"ts\": 90, \"dur\": 2}"
    for work; do
        device=${work%%:*} times=${work#*:}
        echo ",{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": $device, \"tid\": 7, \"ts\": ${times%:*}, \"dur\": $((${times#*:} - ${times%:*})), \"args\": {\"device\": $device, \"stream\": 7}}"
    done
    echo ']}'
}
say()
{
    echo "$1"
    echo "$1" >&2
}
trace 0 0:100:180 0:200:300 1:150:190 >two.json
trace 1 0:100:120 0:140:200 >one.json
trace 2 0:100:120 1:140:160 >equal.json
for view in time timeline cause gap; do
    say "== $view"
    tr-breakdown -O tsv --by $view two.json | cut -f 1-6
    tr-breakdown -O tsv --by $view --per device two.json | cut -f 1-7
done
echo "== state"
tr-overlap -O tsv --by state --per device two.json
say "== a window"
tr-breakdown -O tsv --per device --time 110..290 two.json | cut -f 1-5
say "== ranks"
tr-breakdown -O tsv one.json two.json equal.json | cut -f 1-4
tr-breakdown -O tsv equal.json one.json | cut -f 1-4
tr-breakdown -O tsv --per device one.json two.json equal.json | cut -f 1-5
say "== the page"
tr-report --sections breakdown,devices two.json
tr-report --sections breakdown,devices one.json
tr-report --sections devices one.json two.json equal.json
tr-report --sections devices --per rank -O json one.json two.json
say "== several that work less"
trace 3 0:100:200 1:120:130 2:100:195 3:180:200 >four.json
tr-breakdown -O tsv four.json | cut -f 1-4
tr-report --sections devices four.json
