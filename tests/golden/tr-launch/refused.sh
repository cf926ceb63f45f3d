# What a table does not know is refused.
echo '{"traceEvents": []}' >none.json
for options in "--by launch --cpu-cutoff 1us" "--by launch --queue-cutoff 1us"; do
    # shellcheck disable=SC2086 # several words
    tr-launch $options none.json 2>&1
    echo "status $?"
done
