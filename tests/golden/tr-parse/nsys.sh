# Truth: by hand, from the rows in gen/nsys.py.  Two processes use the same numbers for their calls: each kernel has the call
# of its own process, the innermost one; of the rows that back traces add, those whose call is there are left out; of three
# rows of one wait, one is an event.  The ranks are those of MPI, the base is the start of the session.
tr-parse --version | grep -q sqlite3 && ${PYTHON:-python3} -c 'import sqlite3' 2>/dev/null || exit 77
make()
{
    ${PYTHON:-python3} "$GOLDEN/../../gen/nsys.py" ranks "$1"
}
make job.sqlite
tr-view -O jsonl job.sqlite
echo "== facts"
tr-view -O tsv --by nsys job.sqlite
tr-info job.sqlite | sed -n '/^sources/,/^$/p; /^devices/,/^$/p; /^events by activity/,/^$/p'
echo "== other ways"
tr-view -O jsonl job.sqlite >want
for how in "cat job.sqlite | tr-view -q -O jsonl -" "gzip -c job.sqlite >job.sqlite.gz; tr-view -O jsonl job.sqlite.gz" \
    "tr-parse job.sqlite | tr-view -O jsonl"; do
    eval "$how" >got
    cmp -s want got && echo "the same: $how" || echo "differs: $how"
done
tr-parse --rank 1 job.sqlite >/dev/null
echo "status $?"
echo "== two reports, without ranks of MPI"
for n in 1 2; do
    make node$n.sqlite
    ${PYTHON:-python3} -c "import sqlite3; db = sqlite3.connect('node$n.sqlite'); db.execute('DROP TABLE MPI_RANKS')
db.execute(\"UPDATE META_DATA_CAPTURE SET value = 'node0$n' WHERE name = 'Hostname'\"); db.commit()"
done
tr-merge -q node1.sqlite node2.sqlite | tr-info | sed -n '/^sources/,/^$/p'
