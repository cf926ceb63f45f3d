# Truth: nothing of a trace comes into the script but numbers and words of the program: names with quotes, line breaks
# and code are refused, or are those of schemas.
cat >t.in <<'END'
[["aten::mm\"); import os; os.system(\"touch owned\"); (\"", [[1, 1], [1, 1]], ["float", "float"], [[1, 1], [1, 1]], ["", ""], 9],
 ["aten::relu\nimport os", [[1]], ["float"], [[1]], [""], 8],
 ["aten::relu", [[1]], ["float\", __import__('os').system('touch owned'), \""], [[1]], [""], 7],
 ["aten::relu", [["__import__('os').system('touch owned')"]], ["float"], [["1"]], [""], 6],
 ["aten::add", [[1], [], []], ["float", "Scalar", "Scalar"], [[1], [], []], ["", "__import__('os').system('touch owned')", "1"], 5],
 ["aten::add", [[1], [], []], ["float", "Scalar", "Scalar"], [[1], [], []], ["", "nan", "1"], 4],
 ["aten::gelu", [[1], []], ["float", "Scalar"], [[1], []], ["", "'); import os"], 3],
 ["aten::sum", [[1], [], [], []], ["float", "ScalarList", "Scalar", ""], [[1], [], [], []], ["", "[0, import os]", "True", ""], 2]]
END
${PYTHON:-python3} "$GOLDEN/make.py" <t.in >t.json
tr-replay -O python t.json >calls.py
grep -c 'owned\|import os' calls.py
sed -n '/^CALLS/,$p' calls.py
PYTHONPATH=$GOLDEN/stub ${PYTHON:-python3} calls.py --warmup 0 --runs 1 | sed 's/\t[0-9.]*\t$/\tTIME\t/'
[ ! -e owned ] || echo "code of the trace ran"
tr-replay -q -O json t.json | ${PYTHON:-python3} -c 'import json, sys; print(len(json.load(sys.stdin)))'
