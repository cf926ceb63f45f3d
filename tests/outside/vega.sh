#!/bin/sh
# SPDX-License-Identifier: MIT
# Specifications of -O vega: the packages vega-lite and vega of npm compile and draw them without a warning, with a mark
# for each value, or for a bar with whiskers two.
. "$(dirname "$0")/lib.sh"
[ -x "$bin/tr-plot" ] || skip_all "the programs are not built"
outside node nodejs && outside npm || skip_all "$why"
mkdir node specs && cd node || exit 99
timeout 300 npm install --no-audit --no-fund vega@5 vega-lite@5 >"$tmp/npm.log" 2>&1 || skip_all "no vega-lite to be had from npm"
cp "$here/vega_check.js" .
cd "$root/contrib/sample" || exit 99
while read -r name each command; do
    # shellcheck disable=SC2086 # several words
    $command -q -O vega >"$tmp/specs/$name.json" 2>"$tmp/err" || echo "$name: $command"
    echo "$name.json $each" >>"$tmp/each"
done >"$tmp/wrong" <<'END'
bars 1 tr-breakdown --by kernel rank0.json.gz
stacked 1 tr-breakdown rank0.json.gz rank1.json.gz
facets 1 tr-breakdown --by step rank0.json.gz rank1.json.gz
whiskers 2 tr-breakdown --by annotation rank0.json.gz
scatter 1 tr-breakdown --by gap rank0.json.gz
steps 1 tr-memory --by series rank0.json.gz
roofline 1 tr-roofline --by operator --arch h100 rank0.json.gz
band 1 tr-comm --by member rank0.json.gz rank1.json.gz
heat 1 tr-overlap --by kernel rank0.json.gz
flame 1 tr-breakdown --by tree --step 17 rank0.json.gz
histogram 1 tr-sum --by kind --hist=log rank0.json.gz
grouped 1 tr-comm --by straggler rank0.json.gz rank1.json.gz
lines 1 tr-breakdown --by size rank0.json.gz
bins 1 tr-util rank0.json.gz rank1.json.gz
changes 1 tr-diff --by kernel rank0.json.gz rank1.json.gz
END
cd "$tmp" || exit 99
none wrong "specifications are written"
(cd node && node vega_check.js ../specs/*.json) >said 2>&1
sed 's,^../specs/,,' said | awk -F '\t' 'NR == FNR { split($0, w, " "); each[w[1]] = w[2]; next }
    !($2 > 0 && $3 == each[$1] * $2 && $4 == "true" && $5 == "")' each - >wrong
none wrong "each is compiled without a warning, and each value has its marks"
is "$(wc -l <said | tr -d ' ')" 15 "all of them"
finish
