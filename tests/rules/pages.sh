#!/bin/sh
# SPDX-License-Identifier: MIT
# Manual pages: clean mdoc, all installed, and their examples do what they say.
. "$(dirname "$0")/../harness/tap.sh"
mandoc=${MANDOC:-mandoc}
backspace=$(printf '\b') # how bold is printed

for page in "$root"/man/*.[1-9]; do
    name=$(basename "$page")
    if command -v "$mandoc" >/dev/null; then
        "$mandoc" -Tlint -W warning "$page" >wrong 2>&1
        none wrong "$name: mandoc finds nothing"
    else
        skip "$name: mandoc finds nothing" "no mandoc"
    fi
    if command -v "$mandoc" >/dev/null; then
        # what commands of examples print is as wide as it is
        awk '/^\.Ed/ { output = 0 } /^[$>] / { output = 1; print; next } !output { print }' "$page" |
            "$mandoc" -Tascii -O width=80 | sed "s/.$backspace//g" | awk 'length > 80' >wrong
        none wrong "$name: text and commands fit a terminal of 80 columns"
    else
        skip "$name: text and commands fit a terminal of 80 columns" "no mandoc"
    fi
    # programs know how wide a terminal is: nothing has to be cut off; but messages and XML have lines of any length
    awk -v page="$name" '/^\.Sh/ { inside = ($2 == "EXAMPLES") } /^\.Bd -literal/ { output = inside; next }
        /^\.Ed/ { output = 0 } /^[$] / { output = 1 }
        !output { next }
        { line = $0; gsub(/\\e/, "\\", line); sub(/^\\&/, "", line) }
        length(line) > 80 && line !~ /^(tr-[a-z]+|tracepipe): / && line !~ /^ *</ { print page ": longer than 80: " line }
        line ~ /^[$>] .*[|] *cut / || line ~ /^> *cut / { print page ": cut: " line }' "$page" >wrong
    none wrong "$name: examples fit 80 columns, and nothing is cut off"
    grep -qE "(^|[[:space:]])$name([[:space:]]|\$)" "$root/man/Makefile.am"
    ok $? "$name is installed"
    # in a list, each word has quotes of its own; a word that is a macro, as In is, must not stand as one
    grep -nE '^\.(Ql|Pq Ql|Pq Li .* Ql) .* , |^\.[A-Z][a-z]( .*)? (In|Lk|Mt|At|St|Rv|Ex) ' "$page" >wrong
    none wrong "$name: lists are quoted word by word, and no word is taken for a macro"
    sed -n 's/^\.Xr \([^ ]*\) \([1-9]\).*/\1.\2/p' "$page" | grep -E '^(tr-|libtrcore)' | sort -u |
        while read -r other; do
            [ -f "$root/man/$other" ] || echo "$other"
        done >wrong
    none wrong "$name: refers to pages that exist"
done

for page in "$root"/man/*.[1-9]; do
    what="$(basename "$page"): examples"
    need=$(awk '/^\.Sh/ { inside = ($2 == "EXAMPLES") } inside && /^\$ / { print }' "$page" |
        grep -oE '(^|[^a-z0-9.-])tr-[a-z]+' | grep -oE 'tr-[a-z]+' | sort -u)
    [ "$need" ] || continue
    missing=
    for t in $need; do
        [ -x "$bin/$t" ] || missing="$missing $t"
    done
    if [ "$missing" ]; then
        skip "$what" "not built:$missing"
    else
        sh "$here/../harness/run-examples" "$page" >said 2>&1
        ok $? "$what"
        grep -E '^(not ok|#)' said | sed 's/^\([^#]\)/# \1/'
    fi
done
finish
