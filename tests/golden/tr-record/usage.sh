# Truth: options before the command are tr-record's own, and without a command there is nothing to do.
tr-record --stop-after 1s --start-after 2s true
echo "status $?"
tr-record --ring 0s true
echo "status $?"
tr-record
