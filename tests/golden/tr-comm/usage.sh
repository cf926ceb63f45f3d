# Truth: a table that there is, and grouping only where it has a meaning.
echo '{"traceEvents": []}' >t.json
tr-comm --by members t.json
echo $?
tr-comm --per step t.json
echo $?
tr-comm --by straggler --per device t.json
echo $?
