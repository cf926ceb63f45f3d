# Truth: by hand.  Of f 100 us became 40, g went, h came with 10, k is as long as before.
cat >base.in <<'END'
[["cpu_op", "f", 1, 0, 100, {}], ["cpu_op", "g", 1, 100, 20, {}], ["cpu_op", "k", 1, 120, 30, {}]]
END
cat >test.in <<'END'
[["cpu_op", "f", 1, 0, 40, {}], ["cpu_op", "h", 1, 0, 10, {}], ["cpu_op", "k", 1, 120, 30, {}]]
END
for run in base test; do
    ${PYTHON:-python3} "$GOLDEN/make.py" <$run.in >$run.json
done
tr-flame -O folded -o t.folded --base base.json -- test.json
cat t.folded
echo "== speedscope"
tr-flame -O speedscope -o t.json --base base.json -- test.json
cat t.json
echo "== pprof"
tr-flame -O pprof -o t.pprof --base base.json -- test.json
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$GOLDEN/../../oracle ${PYTHON:-python3} -c '
import profiles
for stack, values in sorted(profiles.pprof(open("t.pprof", "rb").read())[2].items()): print(stack, values)'
echo "== the picture"
tr-flame -O svg -o t.svg --base base.json -- test.json
grep -E '^<(rect|text).*(<title>|class="su")' t.svg
