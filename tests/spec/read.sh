#!/bin/sh
# SPDX-License-Identifier: MIT
# What tr-stream(5) says is enough to read streams: a reader written from the page alone, in another language,
# reads the samples as their texts say, refuses those that must be refused, and finds nothing wrong in what
# tr-parse writes.
. "$(dirname "$0")/../harness/tap.sh"
python=${PYTHON:-python3}
command -v "$python" >said || skip_all "no $python"

"$python" "$here/read.py" --check "$here" >said 2>&1
[ $? -eq 0 ] || ok 1 "the samples are read"
while read -r line; do
    case $line in
    'ok - '*) ok 0 "${line#ok - }" ;;
    *) ok 1 "${line#not ok - }" ;;
    esac
done <said

make_sample >a.json
sed 's/"rank": 0/"rank": 1/' a.json >b.json
many_events 3000 >many.json
for codec in none lz4 zlib; do
    [ -x "$bin/tr-parse" ] || { skip "$codec" "tr-parse is not built"; continue; }
    for input in 'a.json b.json' '--block-events 100 many.json' '--no-sort b.json'; do
        # shellcheck disable=SC2086 # a list
        tr-parse -z $codec $input >out.trs && "$python" "$here/read.py" out.trs >said 2>err
        ok $? "tr-parse -z $codec $input"
        sed 's/^/# /' err
    done
    is "$(grep -c '^event' said)" 10 "tr-parse -z $codec: ten events"
done
tr-info "$here/reject/version-1.trs" >out 2>err
is "$?:$(cat out):$(cat err)" "3::tr-info: $here/reject/version-1.trs: stream of format 1.x: parse the trace again" \
    "a stream of format 1.x gets one line"
finish
