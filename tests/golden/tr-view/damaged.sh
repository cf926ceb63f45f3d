# Truth: by hand; the output of damaged input is valid JSON of what could be read.
printf '{"traceEvents": [{"ph":"X","ts":1,"dur":2,"pid":1,"tid":1,"name":"a\\pb","args":{"x":NaN}},,{"ph":"X","ts":3,"name":"cut' \
    > cut.json
tr-view -q -O chrome cut.json
