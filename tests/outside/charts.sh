#!/bin/sh
# SPDX-License-Identifier: MIT
# A picture of every table that has a chart, from the sample and from real traces, in light by librsvg and in dark by
# Chromium.  They stay in TR_GALLERY [gallery of the build folder], with a page that has them all, to be looked at.
#
# The traces are no part of the source.  TR_CORPUS names the folder above a folder hta (../shared/corpus).
. "$(dirname "$0")/lib.sh"
python=${PYTHON:-python3}
command -v "$python" >said || skip_all "no $python"
[ -x "$bin/tr-plot" ] || skip_all "the programs are not built"
gallery=${TR_GALLERY:-$built/gallery}
corpus=${TR_CORPUS:-$here/../../../shared/corpus}
mkdir -p "$gallery" && gallery=$(cd "$gallery" && pwd) || exit 99
rm -f "$gallery"/*.svg "$gallery"/*.png "$gallery"/index.html
sample=$root/contrib/sample

# inputs of a program, one choice a line
{
    echo "$sample/rank0.json.gz $sample/rank1.json.gz"
    find "$corpus/hta" -maxdepth 1 -name '*.json.gz' -size -4000k 2>find.err | sort
    find "$corpus" \( -name '*.json' -o -name '*.csv' -o -name '*.log' \) -size -3000k 2>find.err | grep -v -E 'golden|tables|/licenses' | sort
} >inputs

# has_chart PROGRAM OPTION...: do its columns say that it is drawn?
has_chart()
{
    program=$1
    shift
    "$program" --help-columns -O tsv "$@" 2>err | awk -F '\t' 'NR > 1 && $7 { n++ } END { exit !n }'
}

# draw NAME PROGRAM OPTION...: the first input that has something to draw
draw()
{
    name=$1
    shift
    while read -r input; do
        # shellcheck disable=SC2086 # several names
        timeout 60 "$@" -q -O svg -o "$gallery/$name.svg" $input 2>err </dev/null || continue
        grep -q 'Nothing to draw' "$gallery/$name.svg" || return 0
    done <inputs
    rm -f "$gallery/$name.svg"
    echo "$name" >>nothing
}

: >nothing
: >charts
grep -v '^#' "$root/tests/rules/views.tsv" | while IFS='	' read -r program options page; do
    : "$page"
    [ "$options" = - ] && options=
    set -f
    # shellcheck disable=SC2086 # several options
    set -- $(echo "$options" | tr '~' ' ')
    set +f
    has_chart "$program" "$@" || continue
    name=$(echo "$program${options:+ $options}" | tr -d '-' | tr ' ,=' '---' | cut -c 1-80)
    echo "$name" >>charts
    draw "$name" "$program" "$@"
done
n=$(find "$gallery" -name '*.svg' | wc -l)
[ "$n" -ge 25 ]
ok $? "pictures: $n of $(wc -l <charts | tr -d ' ') tables with a chart"
sed 's/^/# no input with something to draw: /' nothing

$python "$root/tests/prop/svg_reader.py" "$gallery"/*.svg >wrong 2>&1
none wrong "they are well-formed, and no labels are over each other"

if outside rsvg-convert librsvg2-bin; then
    for svg in "$gallery"/*.svg; do
        rsvg-convert "$svg" -o "${svg%.svg}.png" 2>&1 || echo "$svg"
    done >wrong
    none wrong "librsvg makes PNG of them"
else
    skip "librsvg makes PNG of them" "$why"
fi

{
    echo '<!DOCTYPE html><meta charset="utf-8"><title>charts</title><style>'
    echo 'body{background:#888;margin:8px}img{width:800px;height:500px;margin:4px}</style>'
    for svg in "$gallery"/*.svg; do
        echo "<img src=\"$(basename "$svg")\" alt=\"\">"
    done
} >"$gallery/index.html"
if outside chromium; then
    for scheme in dark:0 light:1; do
        timeout 120 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --enable-logging=stderr \
            --user-data-dir="$tmp/chromium" --blink-settings=preferredColorScheme="${scheme#*:}" \
            --window-size="1632,$(((n + 1) / 2 * 512 + 16))" \
            --screenshot="$gallery/gallery-${scheme%:*}.png" "file://$gallery/index.html" >"$tmp/chromium.log" 2>&1
        [ -s "$gallery/gallery-${scheme%:*}.png" ]
        ok $? "Chromium shows them: ${scheme%:*}"
        grep CONSOLE chromium.log >wrong
        none wrong "its console says nothing: ${scheme%:*}"
    done
else
    skip "Chromium shows them" "$why"
fi
echo "# to be looked at: $gallery"
finish
