# Truth: by hand, from the rows in gen/databases.py.  Two processes of one file use the same numbers: each kernel has the call
# of its own process.  Grids count work items, so that 257 of them in groups of 128 are 3 groups; a kernel that has no
# symbol has its number as a name; what is freed has the size of what was allocated there; the ranks are those of the
# environment, of which nothing else is known.
tr-parse --version | grep -q sqlite3 && ${PYTHON:-python3} -c 'import sqlite3' 2>/dev/null || exit 77
make()
{
    ${PYTHON:-python3} "$GOLDEN/../../gen/databases.py" "$1" "$2"
}
make rocpd job.db
tr-view -O jsonl job.db
echo "== facts"
tr-view -O tsv --by rocpd job.db
tr-info job.db | sed -n '/^sources/,/^$/p; /^devices/,/^$/p; /^events by activity/,/^$/p'
echo "== rows that are placed by tracks"
make rocpd4 one.db
for file in one job; do
    tr-view -q -O tsv --columns activity,ts,dur,name,cat,pid,tid,device,stream,api --where 'pid == 40' $file.db >$file
done
cmp job one && echo "the same events"
