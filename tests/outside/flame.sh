#!/bin/sh
# SPDX-License-Identifier: MIT
# What tr-flame writes, in the programs that it is for: speedscope and its schema, pprof-format, librsvg, Chromium.
#
# The page is loaded as it is, with names that would run a script if they could; and once more with a script of the test
# added to its policy, which clicks and searches.
. "$(dirname "$0")/lib.sh"
python=${PYTHON:-python3}
command -v "$python" >said || skip_all "no $python"
[ -x "$bin/tr-flame" ] || skip_all "the programs are not built"
cp "$root"/contrib/sample/rank*.json.gz .
cat >hostile.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "</script><script>document.title='owned'</script>", "pid": 1, "tid": 1, "ts": 0, "dur": 9},
{"ph": "X", "cat": "cpu_op", "name": "<img src=x onerror=\"document.title='owned'\">", "pid": 1, "tid": 1, "ts": 1, "dur": 8},
{"ph": "X", "cat": "cpu_op", "name": "]]></style><script>document.title='owned'</script>", "pid": 1, "tid": 1, "ts": 2, "dur": 7}]}
END
for trace in rank0.json.gz hostile.json; do
    for format in speedscope pprof svg html; do
        tr-flame -q --by stack -O $format -o "${trace%%.*}.$format" $trace || echo "$trace: $format"
    done
done >wrong
tr-flame -q -O speedscope -o both.speedscope --base rank1.json.gz -- rank0.json.gz || echo "--base" >>wrong
none wrong "files are written"

if outside node nodejs && outside npm; then
    mkdir node
    (cd node && timeout 300 npm install --no-audit --no-fund speedscope pprof-format ajv >"$tmp/npm.log" 2>&1) ||
        why="no speedscope, pprof-format and ajv to be had from npm"
fi
if [ -d node/node_modules/pprof-format ]; then
    cp "$here/flame_check.cjs" node/
    for trace in rank0 hostile both; do
        node node/flame_check.cjs speedscope $trace.speedscope 2>&1 || echo "$trace"
    done >wrong
    none wrong "files of speedscope have its schema"
    node node/flame_check.cjs pprof rank0.pprof >have 2>&1
    tr-flame -q --by stack -O tsv --columns host_self,device_self,launches_self,allocated_self_bytes --unit ns rank0.json.gz |
        awk 'NR > 1 { for (i = 1; i <= 4; i++) n[i] += $i } END { printf "%.0f %.0f %.0f %.0f\n", n[1], n[2], n[3], n[4] }' >want
    is "$(cat have)" "$(cat want)" "pprof-format reads the sums of the table"
else
    skip "files of speedscope have its schema" "$why"
    skip "pprof-format reads the sums of the table" "$why"
fi

if outside rsvg-convert librsvg2-bin; then
    for svg in *.svg; do
        rsvg-convert "$svg" -o "${svg%.svg}.png" 2>&1 || echo "$svg"
    done >wrong
    none wrong "librsvg makes PNG of the pictures"
else
    skip "librsvg makes PNG of the pictures" "$why"
fi

# browse FILE [OPTION]...: the page as Chromium has it, on standard output; what its console says, in chromium.log
browse()
{
    address=$1
    shift
    timeout 120 chromium --headless --no-sandbox --disable-gpu --enable-logging=stderr --user-data-dir="$tmp/chromium" \
        --virtual-time-budget=5000 "$@" --dump-dom "$address" 2>"$tmp/chromium.log"
}

if outside chromium; then
    for page in rank0 hostile; do
        browse "file://$tmp/$page.html" >$page.dom
        grep CONSOLE chromium.log
        grep -q '<title>Which calls' $page.dom || echo "$page: another title"
        grep -q 'id="tools"><input' $page.dom || echo "$page: the script did not run"
    done >wrong
    none wrong "Chromium shows the page, runs its script and no other, and its console says nothing"
    is "$(grep -o -e '<script' -e '<img' -e '</style' hostile.dom | LC_ALL=C sort | uniq -c | tr -s ' \n' ' ')" " 2 </style 2 <script " "names are no elements"

    # a click on the operator aten::item, then a search
    $python - rank0.html clicked.html <<'END'
import sys
text = open(sys.argv[1], encoding="utf-8").read()
begin, end = text.index("script-src '"), text.index("'\"", text.index("script-src '")) + 1
script = """<script>
const of = (name) => [...document.querySelectorAll("#frames g")].find((g) => g.querySelector("title").textContent.startsWith(name));
of("aten::item:").dispatchEvent(new MouseEvent("click"));
const say = (id, text) => { const e = document.createElement("p"); e.id = id; e.textContent = text; document.body.append(e); };
say("width", of("aten::item:").querySelector("rect").getAttribute("width"));
const search = document.querySelector("input");
search.value = "cudaStreamSync";
search.dispatchEvent(new Event("input"));
say("found", document.querySelector("output").textContent);
say("hits", document.querySelectorAll("rect.hit").length);
document.querySelector("button").click();
say("all", of("aten::item:").querySelector("rect").getAttribute("width"));
</script></body>"""
open(sys.argv[2], "w", encoding="utf-8").write(text[:begin] + "script-src 'unsafe-inline'" + text[end:].replace("</body>", script))
END
    browse "file://$tmp/clicked.html" >clicked.dom
    grep -o '<p id="[a-z]*">[^<]*' clicked.dom | sed 's/<p id="//; s/">/ /' >have
    tr-flame -q --by stack -O tsv --columns stack,host,host_self --unit ns rank0.json.gz |
        awk -F '\t' '{ all += $3 } $1 ~ /> aten::item$/ { item = $2 } $1 ~ /cudaStreamSync[^>]*$/ { n++; sync += $2 }
            END { printf "width 1152.00\nfound %d stack%s, %.1f ms (%.1f %%)\nhits 1\nall %.2f\n", n, n == 1 ? "" : "s", sync / 1e6,
                  100 * sync / all, 1152 * item / all }' >want
    diff want have >wrong
    none wrong "a click zooms, and a search counts what it finds"
else
    skip "Chromium shows the page, runs its script and no other, and its console says nothing" "$why"
    skip "names are no elements" "$why"
    skip "a click zooms, and a search counts what it finds" "$why"
fi

if [ -d node/node_modules/speedscope ] && command -v chromium >said; then
    $python -c '
import base64, sys
print("speedscope.loadFileFromBase64(\"t.json\", \"%s\")" % base64.b64encode(open(sys.argv[1], "rb").read()).decode())' \
        rank0.speedscope >profile.js
    browse "file://$tmp/node/node_modules/speedscope/dist/release/index.html#localProfilePath=$tmp/profile.js" \
        --allow-file-access-from-files --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader >speedscope.dom
    grep CONSOLE chromium.log | grep -i error >wrong
    grep -q '<title>host - speedscope' speedscope.dom || { echo "the profile is not shown" && grep CONSOLE chromium.log; } >>wrong
    none wrong "speedscope shows the file"
else
    skip "speedscope shows the file" "${why:-no chromium}"
fi
finish
