# What a table, or a stream, does not know is refused.
echo '{"traceEvents": []}' >none.json
for options in "--report queue --max-queue 2" "--series busy --max-queue 2" "--max-queue 2"; do
    # shellcheck disable=SC2086 # several words
    tr-counters $options none.json 2>&1
    echo "status $?"
done
