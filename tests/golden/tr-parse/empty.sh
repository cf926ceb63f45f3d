# Truth: no events is a trace, too; the stream says so.
echo '{"traceEvents": [], "traceName": "nothing"}' >t.json
tr-parse t.json | tr-view -O chrome
