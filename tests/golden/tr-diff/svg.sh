# Truth: by hand.  Kernel a takes 30 more, b 20 less, c is as long; the total is no bar.  Less is blue, more is orange, and the
# greatest change comes first.
work()
{
    printf '{"traceEvents": ['
    at=0
    for one in "$@"; do
        printf '{"ph": "X", "cat": "kernel", "name": "%s", "pid": 0, "tid": 7, "ts": %s, "dur": %s, "args": {"device": 0, "stream": 7}},\n' \
            "${one%:*}" $at "${one#*:}"
        at=$((at + 100))
    done
    echo '{"ph": "M", "name": "x", "pid": 0}]}'
}
work a:10 b:50 c:7 >base.json
work a:40 b:30 c:7 >test.json
tr-diff --by kernel -O svg base.json test.json | grep -e '<title>[abct]' -e 'class="ti"' -e '>less<' -e '>more<' | sed 's/ x=.*class=/ class=/'
tr-diff --by kernel -O vega base.json test.json | grep -e category -e condition | cut -c 1-200
tr-diff --by headline -O svg base.json test.json | grep '<title>.*: .* %' | sed 's/ x=.*class=/ class=/'
# Tables without a picture.
tr-diff --by conditions --fail-if 'busy.diff_pct > 900%' -O svg base.json test.json
