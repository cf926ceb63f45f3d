# What a view does not know is refused, with the views that know it.
echo '{"traceEvents": []}' >none.json
refuse()
{
    tr-breakdown "$@" none.json
    echo "status $?"
}
refuse --threshold 1us 2>&1
refuse --by kernel --threshold 1us 2>&1
refuse --by idle --ratio 0.5 2>&1
refuse --by time --op x 2>&1
refuse --by operator --side work 2>&1
refuse --by sequence --join-backward 2>&1
refuse --by tree --suspect include 2>&1
refuse --by nesting --suspect include 2>&1
refuse --by kernel,shape 2>&1
refuse --by operator,size 2>&1
refuse --by operator,shape, 2>&1
refuse --by operator --per stream 2>&1
refuse --by tree --per step 2>&1
refuse --by operators 2>&1
