#!/bin/sh
# SPDX-License-Identifier: MIT
# Pages of tr-report in Chromium: nothing on the console, no request, nothing runs but their own script, complete
# without it; tables are sorted, commands copied, values shown, ranks chosen, series zoomed.  Pictures of the pages stay
# in TR_PAGES [pages of the build folder], to be looked at.
#
# Real traces are no part of the source.  TR_CORPUS names the folder above a folder hta (../shared/corpus).
. "$(dirname "$0")/lib.sh"
python=${PYTHON:-python3}
command -v "$python" >said || skip_all "no $python"
[ -x "$bin/tr-report" ] || skip_all "the programs are not built"
outside chromium || skip_all "$why"
pages=${TR_PAGES:-$built/pages}
corpus=${TR_CORPUS:-$here/../../../shared/corpus}
mkdir -p "$pages" && pages=$(cd "$pages" && pwd) || exit 99
rm -f "$pages"/*.png "$pages"/*.html "$pages"/*.pdf
sample=$root/contrib/sample

# browse OPTION... URL: what the browser writes is in chromium.log
browse()
{
    timeout 120 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --enable-logging=stderr \
        --user-data-dir="$tmp/chromium" "$@" 2>"$tmp/chromium.log"
}

# quiet WHAT: the console says nothing
quiet()
{
    grep CONSOLE chromium.log >wrong
    none wrong "its console says nothing: $1"
}

"$bin/tr-report" -q -O html -o "$pages/sample.html" "$sample/rank0.json.gz" "$sample/rank1.json.gz"
ok $? "a page of the sample"
"$bin/tr-report" -q -O html -o "$pages/rank0.html" "$sample/rank0.json.gz"
ok $? "a page of one rank"
"$python" "$root/tests/gen/mesh.py" --tp 8 --dp 150 --kernels 2 --layers 1 --microbatches 1 --steps 4 --names 20 \
    --straggler 5 --output job
"$bin/tr-report" -q --sections findings,steps,breakdown -O html -o "$pages/ranks1200.html" 'job/rank*.json'
ok $? "a page of 1,200 ranks"
for what in 'By how much a rank is above' 'largest of every 2 of 1200 columns' 'largest of every 7 of 1200 rows'; do
    grep -q "$what" "$pages/ranks1200.html"
    ok $? "its maps: $what"
done
for name in h100_bert mi300_sglang_graph mi300_ddp_resnet; do
    trace=$corpus/hta/$name.json.gz
    [ -r "$trace" ] || continue
    "$bin/tr-report" -q -O html -o "$pages/$name.html" "$trace"
    ok $? "a page of $name"
done
"$python" "$root/tests/prop/page_reader.py" "$pages"/*.html >wrong
none wrong "they are well-formed, with nothing but what pages have"

for page in "$pages"/*.html; do
    name=$(basename "$page" .html)
    for how in dark:0:400:12000 light:1:1600:7000; do
        rest=${how#*:*:}
        scheme=${how#*:}
        png=$pages/$name-${how%%:*}-${rest%:*}.png
        browse --blink-settings=preferredColorScheme="${scheme%%:*}" --window-size="${rest%:*},${rest#*:}" \
            --log-net-log="$tmp/net.json" --screenshot="$png" "file://$page" >said
        [ -s "$png" ]
        ok $? "Chromium shows $name: ${how%%:*}, ${rest%:*} pixels"
        quiet "$name, ${how%%:*}, ${rest%:*} pixels"
        grep -o '"url":"[^"]*' net.json | grep -v -e '"url":"file:' -e 'chrome' -e 'google' -e gvt1 >wrong
        none wrong "it requests nothing: $name, ${how%%:*}, ${rest%:*} pixels"
    done
    browse --no-pdf-header-footer --print-to-pdf="$pages/$name.pdf" "file://$page" >said
    [ -s "$pages/$name.pdf" ]
    ok $? "$name is printed"
done

sed '/^<script>/,/<\/script>$/d' "$pages/sample.html" >unscripted.html
browse --dump-dom "file://$tmp/unscripted.html" >plain.html
[ "$(grep -c '<table>' plain.html)" -eq "$(grep -c '<table>' "$pages/sample.html")" ] && ! grep -q '<button' plain.html
ok $? "without its script it has all tables"
browse --dump-dom "file://$pages/sample.html" >scripted.html
grep -q '<button' scripted.html
ok $? "its script runs"

# what a name in a trace would do if it were not text
sed 's|</main>|<script>document.title = "ran"</script><img src="x" onerror="document.title = 1"/></main>|' \
    "$pages/sample.html" >planted.html
browse --dump-dom "file://$tmp/planted.html" >dumped
grep -q '<title>Devices' dumped && grep -q 'Content Security Policy' chromium.log
ok $? "a script that is planted does not run"

# the page in a frame, and what its script does with it
cat >use.html <<END
<!DOCTYPE html><meta charset="utf-8"><pre id="out"></pre>
<iframe class="two" width="1500" height="5000" src="file://$pages/sample.html"></iframe>
<iframe class="one" width="1500" height="5000" src="file://$pages/rank0.html"></iframe>
END
cp "$root/tests/outside/pages_use.js" use.js
echo '<script src="use.js"></script>' >>use.html
browse --allow-file-access-from-files --disable-web-security --virtual-time-budget=5000 --window-size=1600,11000 \
    --dump-dom "file://$tmp/use.html" >dumped
sed -n 's/.*\(ok [0-9A-Za-z].*\)/\1/p; s/^\(not ok .*\)/\1/p' dumped | sed 's/<.*//' >said
grep -q '^ok' said
ok $? "the page was used"
while read -r line; do
    case $line in
    "not ok "*) ok 1 "${line#not ok }" ;;
    "ok "*) ok 0 "${line#ok }" ;;
    esac
done <said
echo "# to be looked at: $pages"
finish
