# Truth: options before the command are tr-record's own, and without a command there is nothing to do.
tr-record --stop-after 1s --start-after 2s true
echo "status $?"
tr-record --ring 0s true
echo "status $?"
tr-record
tr-record --pause 'no name'
tr-record --pause a true
tr-record --ranks 3..1 true
tr-record --session a --switch B true
tr-record -o a --result-dir b true
