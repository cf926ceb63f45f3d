# What a table, or a stream, does not know is refused.
echo '{"traceEvents": []}' >none.json
for options in "--by queue --max-queue 2" "--by busy-series --max-queue 2" "--max-queue 2"; do
    # shellcheck disable=SC2086 # several words
    tr-counters $options none.json 2>&1
    echo "status $?"
done
