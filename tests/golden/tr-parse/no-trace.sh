# Truth: the text of each input; every way of being no trace has a message of its own, an empty list is a trace.
for text in '{}' '{"a": 1}' '{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}' \
    '{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7}' '{"traceEvents": 3}' '{"traceEvents": {"ph": "X"}}' \
    '{"traceEvents": []}' '{"traceEvents": [1]}' '{"traceEvents": [{]}' '[]' '[1, 2]' '[{"a"' '"text"' '17' 'text' ''; do
    printf '%s' "$text" >x.json
    tr-parse x.json -o x.trs 2>&1
    echo "$? $text"
done
