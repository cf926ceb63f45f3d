# Truth: what the page says.  Options of other tables, groups that a table does not have, and too many bins.
echo '{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 0, "dur": 9000000}]}' >t.json
for options in "--by pace --bin 1ms" "--by rank --below 3" "--by rank --per stream" "--by region --below 101" "--by pace --per rank" \
    "--bin 0us" "--bin 1us" "--by annotation --threshold 1us"; do
    # shellcheck disable=SC2086 # several words
    tr-util $options t.json 2>&1 | head -n 3
done
tr-util --save-partial part.trs t.json 2>&1
echo "status $?"
echo '{"traceEvents": []}' >none.json
for view in rank region pace annotation; do
    tr-util --by $view none.json
done
