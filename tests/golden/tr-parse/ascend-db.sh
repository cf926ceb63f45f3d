# Truth: by hand, from the rows in gen/databases.py.  Of the tasks, that of COMPUTE_TASK_INFO is a kernel, and those inside
# of a collective are none; the collective is.  Work has the call of its connection, and the operator that PyTorch ran.
tr-parse --version | grep -q sqlite3 && ${PYTHON:-python3} -c 'import sqlite3' 2>/dev/null || exit 77
${PYTHON:-python3} "$GOLDEN/../../gen/databases.py" ascend job.db
tr-view -O jsonl job.db
echo "== facts"
tr-view -O tsv --by ascend-db job.db
tr-info job.db | sed -n '/^sources/,/^$/p; /^devices/,/^$/p; /^events by activity/,/^$/p; /^steps/,/^$/p'
echo "== the rank of the name, without that of the database"
${PYTHON:-python3} -c "import sqlite3; db = sqlite3.connect('job.db'); db.execute('DROP TABLE RANK_DEVICE_MAP'); db.commit()"
mv job.db ascend_pytorch_profiler_7.db
tr-info -O json ascend_pytorch_profiler_7.db | grep -m 1 '"rank"'
