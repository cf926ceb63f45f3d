#!/bin/sh
# SPDX-License-Identifier: MIT
# reduce.sh ROUND: the job after an array.  It counts the parts.  If some are missing and may come, it submits another
# round; else it makes the page, and says what is missing.

rounds=4 # the first one, and three more
again=
while IFS='	' read -r n trace; do
    [ ! -f "$OUT/parts/$n.part" ] || continue
    [ -f "$OUT/parts/$n.refused" ] || again=1
    printf '%s: %s\n' "$trace" "$(tail -n 1 "$OUT/logs/$n" 2>/dev/null | grep . || echo 'its task did not reach it')"
done <"$OUT/traces" >"$OUT/missing"
echo "round $1: $(wc -l <"$OUT/missing") of $(wc -l <"$OUT/traces") parts are missing"
cat "$OUT/missing"
if [ "$again" ] && [ "$1" -lt $rounds ]; then
    exec sh "$HERE/round.sh" $(($1 + 1))
fi

# page FORMAT FILE
page()
{
    # shellcheck disable=SC2086 # several options
    "${TR}tr-report" -q $REPORT_FLAGS ${EXPECT:+--expect-ranks "$EXPECT"} -O "$1" -o "$2" "$OUT/parts"
}
page html "$OUT/report.html"
page text "$OUT/report.txt" 2>>"$OUT/missing"
status=$?
[ $status -ne 0 ] || [ ! -s "$OUT/missing" ] || status=5
echo $status >"$OUT/status.new" && mv "$OUT/status.new" "$OUT/status"
exit $status
