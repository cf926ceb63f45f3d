#!/bin/sh
# SPDX-License-Identifier: MIT
# Names, args and file names that hold what a terminal obeys or hides: no program prints it in text, TSV, CSV, Markdown
# or a message, and all of these are UTF-8.  JSON is JSON.
. "$(dirname "$0")/../harness/tap.sh"
for t in tr-parse tr-view tr-info tr-breakdown tr-sum tr-report tr-categorize; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
"${PYTHON:-python3}" -c '' 2>/dev/null || skip_all "no Python"

cat >make.py <<'END'
import json
codes = [*range(0, 32), *range(0x7f, 0xa0), 0x61c, *range(0x200b, 0x2010), *range(0x2028, 0x202f), *range(0x2060, 0x2070),
         0xfeff, 0xfff9, 0xfffa, 0xfffb, 0xe0001, 0xe0041, 0xe007f]
def event(name, ts, **more):
    return dict({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": ts, "dur": 5,
                 "args": {"device": 0, "stream": 7, "text": name, name: 1}}, **more)
events = [event("a%sb" % chr(c), 10 * i) for i, c in enumerate(codes)]
events += [event("op%s" % chr(c), 10 * i, cat="cpu_op", tid=1) for i, c in enumerate(codes)]
events += [event("plain \u00e9\u4e16\u1f600 \u00a0", 5000)]
text = json.dumps({"traceEvents": events}, ensure_ascii=False)
bad = '{"ph": "X", "cat": "kernel", "name": "raw \xff\xc3(\x9b", "pid": 0, "tid": 7, "ts": 6000, "dur": 1, "args": {"device": 0, "stream": 7}}]}'
open("bad.json", "wb").write(text.encode()[:-2] + b", " + bad.encode("latin-1"))
END
cat >judge.py <<'END'
import json, re, sys
form = sys.argv[1]
data = sys.stdin.buffer.read()
text = data.decode()  # UTF-8 or an exception
if form == "json":
    json.loads(text)
else:
    hidden = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
    hidden += "" if form == "csv" else "\r"
    found = re.search("[%s]" % hidden, text)
    if found:
        sys.exit("U+%04X at %d: %r" % (ord(found[0]), found.start(), text[max(0, found.start() - 30):found.end()]))
    if not data:
        sys.exit("nothing was printed")
END
"${PYTHON:-python3}" make.py || exit 99

# clean FORM WHAT COMMAND: what it prints, and its messages, hold nothing of the kind.
clean()
{
    (eval "$3") >out 2>err </dev/null
    "${PYTHON:-python3}" judge.py "$1" <out >wrong 2>&1
    none wrong "$2"
    [ ! -s err ] || "${PYTHON:-python3}" judge.py text <err >wrong 2>&1
    none wrong "$2: messages"
}

for form in text tsv csv md json; do
    clean $form "tr-breakdown -O $form" "tr-breakdown --by kernel -O $form bad.json"
    clean $form "tr-sum -O $form" "tr-sum --by name,args.text -O $form bad.json"
    clean $form "tr-categorize -O $form" "tr-categorize --by name -O $form bad.json || tr-sum --by name -O $form bad.json"
done
for form in text tsv json; do
    clean $form "tr-view -O $form" "tr-view -O $form bad.json"
done
for form in text md json; do
    clean $form "tr-report -O $form" "tr-report -O $form bad.json"
done
clean text "tr-info" "tr-info -O text bad.json"
is "$(tr-view -O tsv --columns name bad.json 2>err | grep -ac '\\xe2\\x80\\xae')" 2 "an override is shown byte by byte"

# names of files, of options and of expressions
odd=$(printf 'x\033[31m\302\233\342\200\256y\377.json')
cp bad.json "$odd"
clean text "a file's name: tr-info" 'tr-info -O text "$odd"'
clean text "a file's name: tr-report, text" 'tr-report -O text "$odd"'
clean text "a file's name: tr-report, md" 'tr-report -O md "$odd"'
clean json "a file's name: tr-report, json" 'tr-report -O json "$odd"'
clean text "a file's name: warnings" 'tr-parse --verbose -o x.trs "$odd"; echo done'
clean text "an absent file" 'tr-parse "$odd.absent"; echo done'
clean text "an option's value" 'tr-parse --rank "$odd" bad.json; echo done'
clean text "an expression" 'tr-filter "name == $odd" bad.json; echo done'
clean text "an expression in quotes" 'tr-filter "name =~ \"($odd\"" bad.json; echo done'
printf '[%s if matches]\n(%s\n' "$odd" "$odd" >rules
clean text "a file of rules" 'tr-categorize --rules rules -o x.trs bad.json; echo done'
finish
