# Truth: accept/more.txt of tests/spec: the source is recording 1 of job run-17.
COLUMNS=160 # wide enough for all of it
export COLUMNS
more=$GOLDEN/../../spec/accept/more.trs
tr-info "$more" | sed -n '/^sources/,/^$/p'
tr-info -O json "$more" | grep -E '"(job|capture)"'
