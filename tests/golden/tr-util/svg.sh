# Truth: the table of the same command.  Bins of time are an axis of time; a bin without a row is empty; percentages end at 100.
printf '{"distributedInfo": {"rank": 0}, "traceEvents": [' >t.json
for at in 0 10 20 60; do
    printf '{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": %s, "dur": %s},\n' $at $((at / 10 + 2))
done >>t.json
echo '{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 70, "dur": 10}]}' >>t.json
tr-util --bin 10us -O svg t.json | grep -e '<title>' -e 'class="tk' -e 'bins of' | sed 's/<rect[^>]*class/<rect class/'
tr-util --bin 10us -O tsv --columns rank,bin_start,busy_pct t.json | grep -v 30.000 |
    tr-plot --kind heat -x bin_start_us -y rank,busy_pct | grep '<title>.*%' | sed 's/ y=.*class/ class/'
