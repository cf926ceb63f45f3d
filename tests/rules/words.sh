#!/bin/sh
# SPDX-License-Identifier: MIT
# One word for one thing: pages and C sources have none of the words that the section Words of CONTRIBUTING.md strikes out.
. "$(dirname "$0")/../harness/tap.sh"

struck='tells?|told|mends?|mended'
parts="text comment code" # of C: what stands in strings, comments, names

# found FILE: lines of the input with a struck word, also as part of a name, after the name of the file.
found()
{
    grep -niE "(^|[^A-Za-z])($struck)([^A-Za-z]|\$)" | sed "s|^|$1:|"
}

# judge TOP: struck words in the pages, and in the parts of C of libcore and tools, below TOP.
judge()
{
    for page in "$1"/man/*.[1-9] "$1/README.md" "$1/CONTRIBUTING.md" "$1/CHANGELOG.md" "$1/tests/README.md"; do
        # the section itself names them; its lines stay, so that numbers of lines are right
        awk '/^## / { words = ($0 == "## Words") } { print words ? "" : $0 }' "$page" | found "${page#"$1/"}"
    done
    (cd "$1" && find libcore tools -name '*.[ch]' | sort) | while read -r file; do
        for part in $parts; do
            # what follows a backslash is no letter of a word
            awk -v part="$part" -f "$here/strip.awk" "$1/$file" | sed 's/\\[a-z]/ /g' | found "$file"
        done
    done
}

judge "$root" >wrong
none wrong "no struck word is used"
grep -qi 'tell' "$root/CONTRIBUTING.md"
ok $? "CONTRIBUTING.md names them"

# every place that is read finds a planted word, and nothing else is found
mkdir -p top/man top/libcore/base top/tools top/tests
touch top/README.md top/CHANGELOG.md top/tests/README.md
printf '%s\n' 'A stretch is a teller.' 'It tells.' >top/man/tr-x.1
printf '%s\n' '## Build' 'We mend it.' '## Words' '| fix | not: mend |' '## Stream' 'As told.' >top/CONTRIBUTING.md
printf '%s\n' '/* Told twice. */' 'int tr_tell(void) { return say("a \"b\"\ntell " "amended"); } // mends' >top/libcore/base/x.c
printf '%s\n' 'int mend; /* tell' ' * told */ char c = '"'\"'"'; char *s = "sold";' >top/tools/y.h
parts=text
is "$(judge top | cut -d : -f 1-2 | tr '\n' ' ')" "man/tr-x.1:2 CONTRIBUTING.md:2 CONTRIBUTING.md:6 libcore/base/x.c:2 " \
    "planted words in pages and strings are found"
parts=comment
is "$(judge top | grep -v '^[mC]' | cut -d : -f 1-2 | tr '\n' ' ')" \
    "libcore/base/x.c:1 libcore/base/x.c:2 tools/y.h:1 tools/y.h:2 " "so are those in comments"
parts=code
is "$(judge top | grep -v '^[mC]' | cut -d : -f 1-2 | tr '\n' ' ')" "libcore/base/x.c:2 tools/y.h:1 " "so are those in names"
finish
