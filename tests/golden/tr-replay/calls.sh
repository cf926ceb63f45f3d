# Truth: by hand, from the schemas of the operators.  Two calls of mm have equal arguments: 7 + 5 us.
# Alone: add with a number that PyTorch made a tensor of (other: double, no dimensions) and alpha 2; mean over [-1];
# embedding: indexes below 50; gather over dimension 1 of 3 x 9: below 9; copy_ into a tensor that is not filled;
# sum to the type 6, float; a tensor with gaps, one that is expanded (stride 0); strides that are not in the trace;
# conv without bias; clamp without a minimum, to inf; gelu, whose text the profiler does not write: none is assumed.
cat >t.in <<'END'
[["aten::mm", [[64, 32], [32, 16]], ["float", "float"], [[32, 1], [16, 1]], ["", ""], 7],
 ["aten::mm", [[64, 32], [32, 16]], ["float", "float"], [[32, 1], [16, 1]], ["", ""], 5],
 ["aten::add", [[2, 3], [], []], ["c10::BFloat16", "double", "Scalar"], [[3, 1], [], []], ["", "", "2"], 40],
 ["aten::mean", [[2, 3], [], [], []], ["float", "ScalarList", "Scalar", ""], [[3, 1], [], [], []], ["", "[-1]", "True", ""], 39],
 ["aten::embedding", [[50, 4], [2, 7], [], [], []], ["c10::Half", "long int", "Scalar", "Scalar", "Scalar"], [[4, 1], [7, 1], [], [], []], ["", "", "-1", "False", "False"], 38],
 ["aten::gather", [[3, 9], [], [3, 2], []], ["float", "Scalar", "long int", "Scalar"], [[9, 1], [], [2, 1], []], ["", "1", "", "False"], 37],
 ["aten::copy_", [[8], [8], []], ["int", "unsigned char", "Scalar"], [[1], [1], []], ["", "", "True"], 36],
 ["aten::sum", [[4, 4], []], ["bool", "Scalar"], [[1, 8], []], ["", "6"], 35],
 ["aten::mul", [[5, 6], [5, 6]], ["c10::Float8_e4m3fn", "c10::complex<float>"], [[12, 2], [1, 0]], ["", ""], 34],
 ["aten::relu", [[2, 3, 4]], ["double"], null, [""], 33],
 ["aten::convolution", [[1, 2, 8], [3, 2, 3], [], [], [], [], [], [], []], ["float", "float", "", "ScalarList", "ScalarList", "ScalarList", "Scalar", "ScalarList", "Scalar"], [[16, 8, 1], [6, 3, 1], [], [], [], [], [], [], []], ["", "", "", "[2]", "[1]", "[1]", "False", "[0]", "1"], 32],
 ["aten::clamp", [[3], [], []], ["float", "", "Scalar"], [[1], [], []], ["", "", "inf"], 31],
 ["aten::add", [[4], [], []], ["long int", "Scalar", "Scalar"], [[1], [], []], ["", "3.5", "1."], 30],
 ["aten::gelu", [[6], []], ["float", ""], [[1], []], ["", ""], 29],
 ["aten::_softmax", [[0, 5], [], []], ["float", "Scalar", "Scalar"], [[5, 1], [], []], ["", "-1", "False"], 28],
 ["aten::mm", [[2, 2], [2, 2], [2, 2]], ["float", "float", "float"], [[2, 1], [2, 1], [2, 1]], ["", "", ""], 27]]
END
${PYTHON:-python3} "$GOLDEN/make.py" <t.in >t.json
tr-replay -O tsv t.json
echo "== as calls"
tr-replay -q -O json --op 'add|gelu|embedding' t.json
echo "== as a script"
tr-replay -q -O python t.json >calls.py
PYTHONPATH=$GOLDEN/stub ${PYTHON:-python3} calls.py --warmup 0 --runs 1 | sed 's/\t[0-9.]*\t$/\tTIME\t/'
