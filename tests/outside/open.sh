#!/bin/sh
# SPDX-License-Identifier: MIT
# tr-view --open in Chromium: a page of our own in the place of the viewer's, under its name, reads the trace from the
# address that is printed; the same page under another name reads nothing; a page of tr-report is shown.
. "$(dirname "$0")/lib.sh"
python=${PYTHON:-python3}
command -v "$python" >said || skip_all "no $python"
case $("$bin/tr-view" --version 2>&1) in
*microhttpd*) ;;
*) skip_all "built without libmicrohttpd" ;;
esac
outside chromium && outside openssl || skip_all "$why"
sample=$root/contrib/sample/rank0.json.gz

openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=ui.perfetto.dev >log 2>&1
cat key.pem cert.pem >both.pem
"$python" "$here/open_viewer.py" both.pem port 2>log &
viewer=$!
trap 'kill $viewer; cd / && rm -rf "$tmp"' EXIT
n=0
while [ ! -s port ] && [ $n -lt 100 ]; do
    sleep 0.1
    n=$((n + 1))
done
[ -s port ] || skip_all "no page in the place of the viewer's"

# give FILE: a server in the background; its address is $address
give()
{
    rm -f address status
    { "$bin/tr-view" -q --open --port 0 "$1" >address; echo $? >status; } &
    n=0
    while [ ! -s address ] && [ $n -lt 100 ]; do
        sleep 0.1
        n=$((n + 1))
    done
    address=$(cat address)
}

# browse URL: what is on the page then
browse()
{
    timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$tmp/chromium" \
        --ignore-certificate-errors --virtual-time-budget=5000 \
        --host-resolver-rules="MAP ui.perfetto.dev 127.0.0.1:$(cat port), MAP example.org 127.0.0.1:$(cat port)" \
        --dump-dom "$1" 2>chromium.log
}

# ended WHAT: the server has ended well
ended()
{
    n=0
    while [ ! -s status ] && [ $n -lt 100 ]; do
        sleep 0.1
        n=$((n + 1))
    done
    is "$(cat status)" 0 "$1"
}

"$bin/tr-view" -q -O perfetto "$sample" >trace
give "$sample"
browse "https://example.org/${address#https://ui.perfetto.dev/}" >dom
grep -q '>refused<' dom
ok $? "another page reads nothing"
[ ! -e status ]
ok $? "and does not end the server"
browse "$address" >dom
is "$(sed -n 's/.*<p id="said">\([^<]*\)<.*/\1/p' dom)" "read $(wc -c <trace)" "a page under the name of the viewer reads it"
ended "the server ends"
"$bin/tr-report" -q -O html -o report.html "$sample"
give report.html
browse "$address" >dom
grep -q '<button' dom
ok $? "a page of tr-report is shown, and its script runs"
ended "the server ends after that, too"
finish
