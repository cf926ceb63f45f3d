# Truth: by hand, and looked at.  All is 1152 px for 200 us: the call of 60 us 345.6 px, f of 100 us 576 px, and in it g of
# 60 us 345.6 px, h of 40 us 230.4 px.  Order is by name; what f has of its own is free on the right.
cat >t.in <<'END'
[["python_function", "f", 1, 0, 100, {}], ["cpu_op", "g", 1, 10, 60, {}], ["user_annotation", "h", 1, 100, 40, {}],
 ["cuda_runtime", "cudaLaunchKernel", 1, 150, 60, {"correlation": 1}], ["kernel", "k", "gpu", 220, 8, {"correlation": 1}]]
END
${PYTHON:-python3} "$GOLDEN/make.py" <t.in >t.json
tr-flame -O svg -o t.svg t.json
cat t.svg
echo "== nothing to draw"
tr-flame -O svg --weight bytes -o t.svg t.json
grep -o 'Nothing to draw.*<' t.svg
