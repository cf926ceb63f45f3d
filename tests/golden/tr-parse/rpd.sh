# Truth: by hand, from the rows in gen/databases.py.  Work has the call that its row of rocpd_api_ops says, whatever their
# numbers; calls of modules count work items; a size that the writer left out is none; a value of a monitor holds from its
# start to its end.  Each process with work is a rank.
tr-parse --version | grep -q sqlite3 && ${PYTHON:-python3} -c 'import sqlite3' 2>/dev/null || exit 77
make()
{
    ${PYTHON:-python3} "$GOLDEN/../../gen/databases.py" "$1" "$2"
}
make rpd job.rpd
tr-view -O jsonl job.rpd
echo "== facts"
tr-view -O tsv --by rpd job.rpd
tr-info job.rpd | sed -n '/^sources/,/^$/p; /^devices/,/^$/p; /^events by activity/,/^$/p'
echo "== schema 2"
make rpd2 old.rpd
tr-view -O jsonl job.rpd >new
tr-view -O jsonl old.rpd | diff new - && echo "the same events"
tr-info old.rpd | grep -o 'rpd 2' | sort -u
