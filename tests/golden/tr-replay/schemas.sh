# Truth: by hand.  A file adds operators, and goes before what the program knows; the last file goes first; within a file
# the first that fits.  What a file may not have is refused with its line.
cat >t.in <<'END'
[["my::op", [[3, 4], [], [2]], ["float", "Scalar", "int"], [[4, 1], [], [1]], ["", "1", ""], 9],
 ["aten::relu", [[3]], ["float"], [[1]], [""], 8],
 ["my::text", [[3], []], ["float", ""], [[1], []], ["", ""], 7],
 ["my::sizes", [[3], []], ["float", "Scalar"], [[1], []], ["", "7"], 6]]
END
${PYTHON:-python3} "$GOLDEN/make.py" <t.in >t.json
cat >one.schemas <<'END'
# mine
my::op.first(Tensor x, float scale, Tensor index) -> Tensor   # a whole number does for a real one
    index < x[dim_of_none]
END
cat >two.schemas <<'END'
my::op.wrong(Tensor x, bool dim, Tensor index) -> Tensor
my::op.right(Tensor x, int dim, Tensor  index)->Tensor
	index<x[ dim ]
my::op.late(Tensor x, Scalar dim, Tensor index)
my::text(Tensor(a -> *) x, *, str kind='a_word') -> Tensor(a)
my::sizes(Tensor x, int[2] size=[1, 2]) -> Tensor
END
cat >three.schemas <<'END'
aten::relu.mine(Tensor y) -> Tensor
END
tr-replay --schemas one.schemas t.json
echo "status $?"
tr-replay -O tsv --columns name,overload,pos_args,keyword_args --schemas two.schemas --schemas three.schemas t.json
echo "== later files first"
tr-replay -q -O tsv --columns overload --op relu --schemas three.schemas --schemas two.schemas t.json
n=0
while IFS= read -r line; do
    n=$((n + 1))
    printf '%b\n' "$line" >bad.schemas
    tr-replay --schemas bad.schemas t.json
    echo "status $?"
done <<'END' 2>&1
relu(Tensor x)
aten::relu
aten::relu.(Tensor x)
aten::relu(Tensor)
aten::relu(Foo x)
aten::relu(Tensor x, Tensor x)
aten::relu(Tensor x
aten::relu(Tensor x) Tensor
aten::relu(int x=) -> Tensor
aten::relu(int x=one) -> Tensor
aten::relu(str x='a"b') -> Tensor
aten::relu(int[ x) -> Tensor
aten::relu(Tensor(a! x) -> Tensor
 index < x[0]
aten::relu(Tensor x)\n y < x[0]
aten::relu(Tensor x)\n x > x[0]
aten::relu(Tensor x, int y)\n x < y[0]
aten::relu(Tensor x, int y)\n x < x[z]
# nothing
END
tr-replay --schemas none.schemas t.json
echo "status $?"
