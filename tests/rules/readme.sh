#!/bin/sh
# SPDX-License-Identifier: MIT
# README.md: its commands print what it says, and what it names is there.  CONTRIBUTING.md: the same of what it names.
. "$(dirname "$0")/../harness/tap.sh"
readme=$root/README.md

need=$(sed -n 's/^\$ //p' "$readme" | grep -oE '(^|[^a-z0-9.-])tr-[a-z]+' | grep -oE 'tr-[a-z]+' | sort -u)
missing=
for t in $need; do
    [ -x "$bin/$t" ] || missing="$missing $t"
done
if [ "$missing" ]; then
    skip "its examples" "not built:$missing"
else
    sh "$here/../harness/run-examples" "$readme" >said 2>&1
    ok $? "its examples"
    grep -E '^(not ok|#)' said | sed 's/^\([^#]\)/# \1/'
    grep -c '^ok' said >n_ok
    [ "$(cat n_ok)" -ge 5 ]
    ok $? "there are at least five"
fi

awk '/^```console( single)?$/ { inside = 1; next } /^```/ { inside = 0 } !inside { next }
    length($0) > 80 && !/^tr-[a-z]+: / { print "longer than 80: " $0 }
    /^[$>] .*[|] *cut / || /^> *cut / { print "cut: " $0 }' "$readme" >wrong
none wrong "its examples fit 80 columns, and nothing is cut off"

for text in README.md CONTRIBUTING.md; do
    grep -oE '`[a-z-]+\([1-9]\)`' "$root/$text" | tr -d '`)' | tr '(' . | sort -u | while read -r page; do
        [ -f "$root/man/$page" ] || echo "$page"
    done >wrong
    none wrong "$text: the pages that it names exist"

    {
        sed -n 's/^sh \([^ ]*\).*/\1/p' "$root/$text"
        grep -oE '\]\([^)]*\)' "$root/$text" | tr -d '])('
        grep -oE '`(contrib|libcore|tools|tests)/[^`]*`' "$root/$text" | tr -d '`'
    } | sort -u | while read -r file; do
        case $file in
        ../contrib/*) file=${file#../} ;; # from a build folder
        esac
        [ -e "$root/$file" ] || echo "$file"
    done >wrong
    none wrong "$text: the files that it names exist"
done

contributing=$root/CONTRIBUTING.md
grep -oE -e '`--(with|without|enable)-[a-z0-9]+' "$contributing" | tr -d '`' | while read -r option; do
    name=${option#--}
    case $name in
    with-* | without-*) grep -qE "AC_ARG_WITH\(\[${name#*-}\]|TR_(OPTIONAL|LOADED)\(\[${name#*-}\]" "$root/configure.ac" ;;
    enable-*) grep -qF "AC_ARG_ENABLE([${name#*-}]" "$root/configure.ac" ;;
    esac || echo "$option"
done >wrong
none wrong "configure knows the options that CONTRIBUTING.md names"
sed -n 's/^TR_[OL][A-Z]*(\[\([a-z0-9]*\)\].*/--without-\1/p; s/^AC_ARG_ENABLE(\[\([a-z0-9]*\)\].*/--enable-\1/p
    s/^AC_ARG_WITH(\[\([a-z0-9]*\)\].*/--with(out)?-\1/p' "$root/configure.ac" | while read -r option; do
    grep -qE -e "\`$option" "$contributing" || echo "$option"
done >wrong
none wrong "CONTRIBUTING.md names all options of configure"

if [ -x "$bin/tr-breakdown" ]; then
    sh "$root/contrib/pictures.sh" "$bin" drawn
    diff -r drawn "$root/contrib/pictures" >wrong
    none wrong "its pictures are those that contrib/pictures.sh draws"
else
    skip "its pictures are those that contrib/pictures.sh draws" "the programs are not built"
fi

# demo.sh looks at the traces before it builds anything
sh "$root/contrib/demo.sh" 'no such trace' >out 2>err
is $? 4 "demo.sh: a missing trace: status"
is "$(cat err)" "demo.sh: no such trace: no such file" "demo.sh: a missing trace is named"
none out "demo.sh: a missing trace: nothing else happens"
finish
