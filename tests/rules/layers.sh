#!/bin/sh
# SPDX-License-Identifier: MIT
# The layers of libcore: each folder includes from those that it is allowed to, and from nowhere else.
. "$(dirname "$0")/../harness/tap.sh"

allowed()
{
    case $1 in
    api) echo "base io stream vendor model lang expr table analysis ingest formats api" ;;
    base) echo "base" ;;
    io) echo "base io" ;;
    json) echo "base json" ;;
    lang) echo "base lang" ;;
    stream) echo "base io stream" ;;
    vendor) echo "base lang stream vendor" ;;
    model) echo "base stream vendor model" ;;
    ingest) echo "base io stream vendor model ingest" ;;
    formats) echo "base io json stream vendor model ingest formats" ;;
    expr) echo "base lang stream model expr" ;;
    analysis) echo "base io stream vendor model table analysis" ;;
    table) echo "base io table" ;;
    esac
}

for folder in "$root"/libcore/*/; do
    name=$(basename "$folder")
    may=$(allowed "$name")
    files=$(find "$folder" -name '*.[ch]' | sort)
    [ "$files" ] || continue
    [ "$may" ]
    ok $? "$name is a layer"
    for file in $files; do
        # names begin with an allowed folder
        sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$file" |
            while read -r header; do
                case " $may tracepipe.h " in
                *" ${header%%/*} "*) [ -f "$root/libcore/$header" ] && continue ;;
                esac
                echo "${file#"$root/libcore/"} includes $header"
            done
    done >wrong
    none wrong "$name includes only from: $may"
    said=$(sed -n "s/^| \`$name\` |.*| \([^|]*\) |\$/\1/p" "$root/CONTRIBUTING.md" | tr -d '`-')
    is "$(echo $said $name)" "$may" "CONTRIBUTING.md says what $name uses"
    grep -qE "^ [ |+-]*([a-z]+ +)*$name( |\$)" "$root/CONTRIBUTING.md"
    ok $? "the drawing there has $name"
done

# a folder of formats/ stands alone: what two formats share stands in formats/ itself
for folder in "$root"/libcore/formats/*/; do
    own=formats/$(basename "$folder")
    for file in $(find "$folder" -name '*.[ch]' | sort); do
        sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\(formats\/[^"]*\/[^"]*\)".*/\1/p' "$file" |
            while read -r header; do
                [ "${header%/*}" = "$own" ] || echo "${file#"$root/libcore/"} includes $header"
            done
    done
done >wrong
none wrong "no format includes from another format's folder"

grep -lE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]jsmn\.h' $(find "$root/libcore" "$root/tools" -name '*.[ch]') | grep -v '/libcore/json/' >wrong
none wrong "jsmn.h is included in json only"
grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*".*\.c"' $(find "$root/libcore" "$root/tools" -name '*.[ch]') >wrong
none wrong "no file includes a .c file"
finish
