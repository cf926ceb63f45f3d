# Truth: by hand.  A name may hold anything: XML stays well-formed, and shows what a terminal would obey as \\xNN.
python3 - <<'END'
import json
names = ["a\u009bb", "a\u202eb", "a\u200bb", "a\ufffeb", "a\uffffb", "a\u0001b", "x" + "\u00e9" * 200, "<&\">", "\u00e9\ufffd"]
for k, side in ((1, "base"), (9, "test")):
    events = [{"ph": "X", "cat": "kernel", "name": n, "pid": 0, "tid": 7, "ts": 100 * i, "dur": k} for i, n in enumerate(names)]
    json.dump({"traceEvents": events}, open(side + ".json", "w"))
END
for part in "a.*b" "^x" "&" "^.*$"; do
    tr-diff -q --by name -O junit --fail-if "name =~ '$part' && diff_us > 1us" base.json test.json >one.xml 2>said
    grep failure one.xml | grep -o 'first .*' | cut -c 1-60
    python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("one.xml"); print("well-formed")'
done
for k in 0 1 2 3 4 5 6 7 8; do
    python3 - $k <<'END'
import json, sys
for side in ("base", "test"):
    t = json.load(open(side + ".json"))
    json.dump({"traceEvents": [t["traceEvents"][int(sys.argv[1])]]}, open("one-" + side + ".json", "w"))
END
    tr-diff -q --by name -O junit --fail-if "name =~ '.' && diff_us > 1us" one-base.json one-test.json >one.xml 2>said
    grep failure one.xml | grep -o 'first .*' | cut -c 1-60
    python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("one.xml"); print("well-formed")'
done
true
