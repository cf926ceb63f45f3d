# Truth: by hand, one call for each reason; the remark counts them.  -n counts calls that are not refused.
cat >t.in <<'END'
[["my::op", [[1]], ["float"], [[1]], [""], 50],
 ["aten::relu", null, null, null, null, 49],
 ["aten::mm", [[1, 1]], ["float"], [[1, 1]], [""], 48],
 ["aten::mm", [[1, 1], [1, 1]], ["float", "Scalar"], [[1, 1], []], ["", "1"], 47],
 ["aten::relu", [[1]], ["my::type"], [[1]], [""], 46],
 ["aten::cat", [[[2], [2]], []], ["TensorList", "Scalar"], [[[1], [1]], []], ["", "0"], 45],
 ["aten::index", [[2], [[2]]], ["float", ""], [[1], [[1]]], ["", ""], 44],
 ["aten::transpose", [[2, 2], [], []], ["float", "Scalar", "Scalar"], [[2, 1], [], []], ["", "0", "1"], 43],
 ["aten::topk", [[2, 2], [], [], [], []], ["float", "Scalar", "Scalar", "Scalar", "Scalar"], [[2, 1], [], [], [], []], null, 42],
 ["aten::sum", [[2, 2], [], [], []], ["float", "", "Scalar", ""], [[2, 1], [], [], []], null, 41],
 ["aten::relu", [[-1]], ["float"], [[1]], [""], 40],
 ["aten::relu", [[2, 2]], ["float"], [[2]], [""], 39],
 ["aten::relu", [[2]], ["float"], [[-1]], [""], 38],
 ["aten::relu", [["x"]], ["float"], [[1]], [""], 37],
 ["aten::relu", [[9223372036854775807, 9223372036854775807]], ["float"], null, [""], 36],
 ["aten::relu", [[9223372036854775807]], ["float"], [[9223372036854775807]], [""], 35],
 ["aten::relu", [[2305843009213693952]], ["double"], [[1]], [""], 34],
 ["aten::sum", [[2], []], ["float", "Scalar"], [[1], []], ["", "99"], 33],
 ["aten::addmm", [[2], [2, 2], [2, 2], [], []], ["float", "float", "float", "Scalar", "Scalar"], [[1], [2, 1], [2, 1], [], []], null, 32],
 ["aten::relu", [[2]], ["float"], [[1]], [""], 31],
 ["aten::silu", [[2]], ["float"], [[1]], [""], 30]]
END
${PYTHON:-python3} "$GOLDEN/make.py" <t.in >t.json
tr-replay -O tsv --columns name,refused,dtypes,shapes t.json
echo "== the first call"
tr-replay -O tsv -n 1 --op 'topk|addmm|relu' --columns name,device,refused t.json 2>said
echo "== it has defaults"
tr-replay -q -O json --op addmm t.json
echo "== no value without a default: -q says nothing"
tr-replay -q -O python --op topk t.json 2>&1 | tail -n 5
