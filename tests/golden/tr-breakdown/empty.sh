# Truth: a trace without device work has nothing to break down, and that is said.
echo '{"traceEvents": []}' >t.json
tr-breakdown -O tsv t.json
