# Truth: by hand.  Names that would end a line, a frame, an element or a script, or that a terminal would obey: each writer
# has them so that its reader gets the stack.  U+202E turns text around; a byte that is not UTF-8 is kept, and is U+FFFD
# where a format is of valid text.
cat >t.in <<'END'
[["cpu_op", "a;b\nc", 1, 0, 100, {}], ["cpu_op", "</script><script>alert(1)</script>", 1, 0, 80, {}],
 ["cpu_op", "\"'&<!--\\\u0000\u001b]0;x\u0007", 1, 0, 60, {}], ["cpu_op", "\u202eBYTE", 1, 0, 40, {}],
 ["cpu_op", "", 1, 0, 30, {}], ["cpu_op", "f 3 17", 1, 0, 20, {}], ["cpu_op", "none. 5.5", 1, 20, 5, {}]]
END
${PYTHON:-python3} "$GOLDEN/make.py" <t.in | ${PYTHON:-python3} -c '
import sys
sys.stdout.buffer.write(sys.stdin.buffer.read().replace(b"BYTE", b"\xff"))' >t.json
tr-flame -q -O folded t.json
echo "== as readers see them"
for format in folded speedscope pprof; do
    tr-flame -q -O $format -o t.$format t.json
done
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$GOLDEN/../../oracle ${PYTHON:-python3} - <<'END'
import profiles
names = lambda stacks: ascii(max(stacks, key=len))
read = lambda name: open("t." + name, "rb").read()
print(names(profiles.folded(read("folded"))))
print(names(profiles.speedscope(read("speedscope"))[0]["host"][1]))
print(names(profiles.pprof(read("pprof"))[2]))
END
echo "== the picture"
tr-flame -q -O svg -o t.svg t.json
grep -o '<title>.*</title>' t.svg | sed 1d
echo "== the page"
tr-flame -q -O html -o t.html t.json
grep -c '<script' t.html
grep -o '"names":.*,"name":' t.html
