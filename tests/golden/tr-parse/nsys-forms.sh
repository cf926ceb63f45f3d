# Truth: by hand, from the rows in gen/nsys.py.  Tables and columns of other versions, values that are not what they should
# be, and databases that are none of Nsight Systems'.
tr-parse --version | grep -q sqlite3 && ${PYTHON:-python3} -c 'import sqlite3' 2>/dev/null || exit 77
make()
{
    ${PYTHON:-python3} "$GOLDEN/../../gen/nsys.py" "$1" "$1.sqlite"
}
for kind in old views damaged; do
    echo "== $kind"
    make $kind
    tr-view -O jsonl $kind.sqlite 2>&1
    tr-parse --strict $kind.sqlite 2>&1 >/dev/null
    echo "status $?"
done
echo "== cut"
make ranks
head -c 20000 ranks.sqlite >cut.sqlite
tr-parse cut.sqlite 2>&1 >cut.trs
tr-info -q cut.trs | sed -n '/^salvage/,/^$/p'
echo "== none"
make other
make nvprof
${PYTHON:-python3} -c "import sqlite3; db = sqlite3.connect('own.sqlite'); db.execute('PRAGMA application_id = 1953653616')
db.execute('CREATE TABLE kernels (name)'); db.commit()"
head -c 60 ranks.sqlite >start.sqlite
(head -c 16 ranks.sqlite; head -c 9000 /dev/zero) >zeros.sqlite
for name in other nvprof own start zeros; do
    tr-parse $name.sqlite 2>&1 >/dev/null
    echo "status $?"
done
