# Truth: one table at a time, and grouping only where it has a meaning.
echo '{"traceEvents": []}' >t.json
tr-comm --by size --stragglers t.json
echo $?
tr-comm --per step t.json
echo $?
tr-comm --stragglers --per device t.json
echo $?
