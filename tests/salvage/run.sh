#!/bin/sh
# SPDX-License-Identifier: MIT
# Damaged input: what comes through, what is said of it, and what every later program says again.
#
# inputs/* and those that make.sh writes are traces with one thing wrong with each; their events are named
# ok0, ok1 ... where nothing is wrong with them.  One line of expected.tsv for each:
#
#   name    of the file
#   status  of tr-parse: 0, or 3 where nothing can be used
#   events  "record name" of each event, in canonical order; -: none
#   causes  CAUSE=COUNT@BYTE, by number of the cause; @- where it has no place; -: nothing is wrong
#
# causes.tsv has the name of each cause, its number, whether it costs something, and the words
# that are said.
#
# usage: run.sh [NAME]...
#        run.sh --counts     how many inputs there are of each cause, without cause, and of which nothing can be used
. "$(dirname "$0")/../harness/tap.sh"
if [ "$1" = --counts ]; then
    awk -F '\t' '!/^#/ {
        n = split($2 != 0 ? "nothing" : $4 == "-" ? "none" : $4, c, " ")
        for (i = 1; i <= n; i++) { sub(/=.*/, "", c[i]); count[c[i]]++ }
    } END { for (cause in count) print cause "\t" count[cause] }' "$here/expected.tsv" | sort
    exit
fi
for t in tr-parse tr-view tr-info; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
tab=$(printf '\t')
mkdir in
cp "$here"/inputs/* in/
(cd in && sh "$here/make.sh")

# warnings PROGRAM INPUT SOURCE CAUSES: the lines that a program must print
warnings()
{
    awk -F '\t' -v program="$1" -v input="$2" -v of="$3" -v causes="$4" '
        !/^#/ { text[$1] = $4 }
        END {
            n = split(causes == "-" ? "" : causes, c, " ")
            for (i = 1; i <= n; i++) {
                split(c[i], a, /[=@]/)
                place = of == "" ? "" : of
                if (a[3] != "-")
                    place = place (place == "" ? "" : ", ") "byte " a[3]
                times = a[2] == 1 ? "" : " (" a[2] " times" (a[3] == "-" ? "" : ", first here") ")"
                print program ": warning: " input ": " place (place == "" ? "" : ": ") text[a[1]] times
            }
        }' "$here/causes.tsv"
}

# first FILE CAUSES: the line that --strict must print
first()
{
    awk -F '\t' -v file="$1" -v causes="$2" '
        !/^#/ { text[$1] = $4 }
        END {
            n = split(causes, c, " ")
            for (i = 1; i <= n; i++) {
                split(c[i], a, /[=@]/)
                at = a[3] == "-" ? 1e18 : a[3] + 0
                if (i == 1 || at < least) {
                    least = at
                    what = text[a[1]]
                    place = a[3] == "-" ? "" : "byte " a[3] ": "
                }
            }
            sub(/,.*/, "", what)
            print "tr-parse: " file ": " place what
        }' "$here/causes.tsv"
}

# events FILE: "record name, record name ..." of a stream; -: none
events()
{
    tr-view -O tsv --columns record,name "$1" |
        awk -F '\t' 'NR > 1 { printf "%s%s %s", sep, $1, $2; sep = ", " } END { print sep == "" ? "-" : "" }'
}

# told: the causes that tr-info found, as in the table
told()
{
    awk -F '"cause": "|", "count": |, "first_byte": |, "loses"' '
        NF == 5 { printf "%s%s=%s@%s", sep, $2, $3, $4 == "null" ? "-" : $4; sep = " " }
        END { print sep == "" ? "-" : "" }'
}

# differs HAVE WANT WHAT: says so in the file wrong
differs()
{
    [ "$1" = "$2" ] && return
    {
        echo "$3"
        printf '%s\n' "$1" | sed 's/^/have /'
        printf '%s\n' "$2" | sed 's/^/want /'
    } >>wrong
}

# unsorted NAME CAUSES: events in the order of the file, and warnings when its end is known
unsorted()
{
    (cd in && tr-parse --no-provenance --no-sort -o ../u "$1") 2>err
    differs "$(cat err)" "$(warnings tr-parse "$1" "" "$2")" "what tr-parse --no-sort says"
    differs "$(tr-view -O tsv --columns record,name u 2>again | sed 1d)" \
        "$(tr-view -q -O tsv --columns record,name s | sed 1d | sort -n)" "events in the order of the file"
    differs "$(cat again)" "$(warnings tr-view u "$1" "$2")" "what tr-view says of the unsorted stream"
    rm -f u
}

# usable NAME EVENTS CAUSES: all that must hold of an input of which something can be used
usable()
{
    differs "$(cat said)" "$(warnings tr-parse "$1" "" "$3")" "what tr-parse says"
    differs "$(events s 2>again)" "$2" "events"
    differs "$(cat again)" "$(warnings tr-view s "$1" "$3")" "what tr-view says"
    differs "$(tr-info -q -O json s | told)" "$3" "counters of the summary"
    tr-filter 'true' s 2>again | tr-view -q -O chrome -o back.json
    differs "$(cat again)" "$(warnings tr-filter s "$1" "$3")" "what tr-filter says"
    tr-parse --strict "in/$1" >out 2>err
    strict=$?
    if [ "$3" = - ]; then
        differs $strict 0 "status with --strict"
        differs "$(cat err)" "" "what is said with --strict"
    else
        differs $strict 3 "status with --strict"
        differs "$(cat out)" "" "output with --strict"
        case "$3" in
        *bad_compression*) # the place is that in the packed file, and the words are those of its format
            differs "$(wc -l <err | tr -d ' ')$(sed 's|in/||; s/byte [0-9].*//' err)" \
                "1tr-parse: $1: compressed " "what is said with --strict" ;;
        *) differs "$(sed 's|in/||' err)" "$(first "$1" "$3")" "what is said with --strict" ;;
        esac
    fi
    unsorted "$1" "$(printf '%s\n' "$3" | sed 's/ *unmatched_[a-z]*=[^ ]*//; s/^$/-/')"
    for ok in $(grep -a -o '"name": "ok[0-9]*"' "in/$1" 2>/dev/null | sed 's/.*"\(ok.*\)"/\1/' | sort -u); do
        case "$2," in
        *" $ok,"*) ;;
        *) echo "intact event $ok is lost" >>wrong ;;
        esac
    done
}

n=0
while IFS=$tab read -r name status events causes <&3; do
    case "$name" in '#'* | '') continue ;; esac
    [ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
    if [ ! -f "in/$name" ]; then
        skip "$name" "cannot be made here"
        continue
    fi
    : >wrong
    (cd in && tr-parse --no-provenance -o ../s "$name") 2>said
    differs "$?" "$status" "status"
    if [ "$status" -eq 0 ]; then
        usable "$name" "$events" "$causes"
    else
        differs "$(wc -l <said | tr -d ' ')" 1 "lines said"
        differs "$(cut -d : -f 1,2 said)" "tr-parse: $name" "the line begins"
        [ ! -e s ] || echo "there is output" >>wrong
    fi
    none wrong "$name"
    rm -f s back.json
done 3<"$here/expected.tsv"
[ $# -eq 0 ] || finish

sed -n 's/^    TR_DAMAGE_\([A-Z0-9_]*\) = \([0-9]*\),.*/\1 \2/p' "$root/libcore/model/tr_damage_causes.h" |
    tr '[:upper:]' '[:lower:]' >have
awk -F '\t' '!/^#/ { print $1, $2 }' "$here/causes.tsv" >want
diff have want >wrong
none wrong "causes.tsv has all causes with their numbers"
awk -F '[\t ]' 'NR == FNR { tested = tested " " $0; next }
                !/^#/ && !index(tested, "\t" $1 "=") && !index(tested, " " $1 "=") { print $1 }' \
    "$here/expected.tsv" "$here/causes.tsv" >wrong
none wrong "each cause has an input"

is "$(tr-parse in/nothing_utf16.json 2>&1)" \
    "tr-parse: in/nothing_utf16.json: UTF-16 or UTF-32 text, which is not supported: convert it to UTF-8" \
    "UTF-16 is called by its name"

# archives: each member is an input of its own; what is damaged there costs no more than that member
if [ -f in/archive_cut.tar ]; then
    seen=$(cd in && tr-view -O tsv --columns rank,record,name archive_cut.tar 2>../err | tr '\t\n' ' ;')
    is "$seen" 'rank record name;0 0 ok0;1 0 ok0;0 1 bad;0 2 ok1;' "tar, cut in its second member: what was read"
    like "$(cat err)" 'tr-view: warning: archive_cut.tar(rank1.json): byte 85: text ends in the middle, the rest is lost
tr-view: warning: archive_cut.tar(rank1.json): byte 130: damaged compressed data, lost
tr-view: warning: archive_cut.tar: damaged archive*, the rest of it is lost' "and what is said"
    seen=$(cd in && tr-view -O tsv --columns rank,record,name archive_cut_header.tar 2>../err | tr '\t\n' ' ;')
    is "$seen" 'rank record name;0 0 ok0;0 1 bad;0 2 ok1;' "tar, cut in the header of its second member: the first"
    like "$(cat err)" 'tr-view: warning: archive_cut_header.tar: damaged archive*, the rest of it is lost' "and what is said"
    mkdir links
    echo '{"traceEvents": [{"ph": "X", "name": "once", "pid": 1, "tid": 1, "ts": 1, "dur": 1}]}' >links/a.json
    ln links/a.json links/b.json && ln -s a.json links/c.json && mkdir links/d.json
    (cd links && tar -cf ../links.tar a.json b.json c.json d.json)
    seen=$(tr-view -O tsv --columns source,record,name links.tar 2>err | tr '\t\n' ' ;')
    is "$seen" 'source record name;0 0 once;' "tar with links: each file once"
    is "$(cat err)" "" "and nothing is said"
    if "${PYTHON:-python3}" - 2>err <<'END'
import io, tarfile
data = b'{"traceEvents": [{"ph": "X", "name": "once", "pid": 1, "tid": 1, "ts": 1, "dur": 1}]}'
with tarfile.open("linked.tar", "w", format=tarfile.PAX_FORMAT) as archive:
    for name, kind in (("a.json", tarfile.REGTYPE), ("b.json", tarfile.LNKTYPE)):
        member = tarfile.TarInfo(name)
        member.type, member.size, member.pax_headers = kind, len(data), {"comment": "links may have data"}
        member.linkname = "a.json" if kind == tarfile.LNKTYPE else ""
        archive.addfile(member, io.BytesIO(data))
END
    then
        seen=$(tr-view -O tsv --columns source,record,name linked.tar 2>err | tr '\t\n' ' ;')
        is "$seen" 'source record name;0 0 once;' "tar with a link that has data: once"
    else
        skip "tar with a link that has data" "no python3"
    fi
    for f in archive_cut.tar archive_cut_header.tar; do
        (cd in && tr-parse --strict $f) >out 2>err
        is "$? $(wc -c <out | tr -d ' ') $(wc -l <err | tr -d ' ')" "3 0 1" "$f --strict: refused with one line"
    done
else
    skip "archives" "cannot be made here"
fi
finish
