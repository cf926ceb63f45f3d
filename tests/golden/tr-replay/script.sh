# Truth: by hand.  Options of the script: two calls to warm up and three that count; one operator of two; one that fails
# does not stop the others, and the status is 1.  The time in the trace is the mean: (4 + 8) / 2.
cat >t.in <<'END'
[["aten::mm", [[2, 2], [2, 2]], ["float", "float"], [[2, 1], [2, 1]], ["", ""], 4],
 ["aten::mm", [[2, 2], [2, 2]], ["float", "float"], [[2, 1], [2, 1]], ["", ""], 8],
 ["my::fails", [[3]], ["float"], [[1]], [""], 11],
 ["aten::relu", [[3]], ["float"], [[1]], [""], 1]]
END
echo 'my::fails(Tensor x) -> Tensor' >my.schemas
${PYTHON:-python3} "$GOLDEN/make.py" <t.in >t.json
tr-replay -q -O python --schemas my.schemas t.json >calls.py
${PYTHON:-python3} -m py_compile calls.py || echo "not compiled"
script()
{
    PYTHONPATH=$GOLDEN/stub ${PYTHON:-python3} calls.py "$@"
    echo "status $?"
}
script --op mm --warmup 2 --runs 3 --device cpu:0 | sed 's/\t[0-9.]*\t$/\tTIME\t/'
echo "== one fails"
script --warmup 0 --runs 1 | sed 's/\t[0-9.]*\t$/\tTIME\t/'
echo "== no operator"
script --op none
echo "== the longest"
tr-replay -q -O python -n 1 t.json | grep '^    Call'
