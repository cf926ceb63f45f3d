# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Comparing what the programs print with reference tables; read by `.' from a script of this folder.
#
#     compare FOLDER FEATURES [TRUST [TOLERANCE]]
#
# A comment "# only FEATURE: NAME" in FEATURES: of that feature, only the tables of this trace are compared.
#
# FOLDER lies below the corpus, or is the corpus itself; FEATURES is a table of this folder; TRUST another one, what of
# the reference is not to be believed, beside what the corpus says; TOLERANCE what may differ.  Commands find this folder as $TR_HERE.
#
# The traces and tables are no part of the source.  TR_CORPUS names their folder (traces, golden/*.tsv) or the one
# above FOLDER, TR_CORPUS_CHECK the script that compares.  Without them ../shared/corpus and ../shared/check/corpus.py,
# seen from the source tree, are used where they are; else this is skipped.
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
bin=${TR_BIN:-../tools}
python=${PYTHON:-python3}
corpus=${TR_CORPUS:-$top/../shared/corpus}
check=${TR_CORPUS_CHECK:-$top/../shared/check/corpus.py}

skip()
{
    echo "1..0 # SKIP $1"
    exit 0
}

# The corpus, and beside it what else is not to be believed, and what may differ.
distrust()
{
    made=$(mktemp -d)
    trap 'rm -rf "$made"' EXIT
    mkdir "$made/tables"
    for f in "$corpus"/../*; do
        [ "$(basename "$f")" = tables ] || ln -s "$(cd "$corpus/.." && pwd)/$(basename "$f")" "$made/"
    done
    for f in "$corpus"/*; do
        ln -s "$(cd "$corpus" && pwd)/$(basename "$f")" "$made/tables/"
    done
    rm -f "$made/tables/trust.tsv" "$made/tables/tolerance.tsv"
    for f in "$corpus/trust.tsv" "$1"; do [ ! -f "$f" ] || cat "$f"; done >"$made/tables/trust.tsv"
    for f in "$2" "$corpus/tolerance.tsv"; do [ ! -f "$f" ] || cat "$f"; done >"$made/tables/tolerance.tsv"
    corpus=$made/tables
}

compare()
{
    features=$here/$2
    [ -d "$corpus" ] || skip "no corpus (TR_CORPUS)"
    [ -f "$check" ] || skip "no script that compares (TR_CORPUS_CHECK)"
    [ ! -d "$corpus/$1" ] || corpus=$corpus/$1
    [ -d "$corpus/golden" ] || skip "$corpus holds no reference tables"

    export TR_HERE="$here"
    [ -z "${3:-}" ] || distrust "$here/$3" "$here/${4:-none}"

    # Programs read each trace as it is or as a stream: see harness/forms.c.
    built=$(pwd)
    # shellcheck source=tests/harness/forms.sh
    . "$here/../harness/forms.sh"
    one_form corpus "$bin"

    tests=0
    failed=0
    # One test per feature, so that a program that is missing hides no other.
    # shellcheck disable=SC2094
    while IFS='	' read -r feature command _ <&3; do
        case $feature in '' | '#'*) continue ;; esac
        tests=$((tests + 1))
        missing=
        for program in $(printf '%s\n' "$command" | grep -oE '(^|[^a-z.-])tr-[a-z]+' | grep -oE 'tr-[a-z]+' | sort -u); do
            [ -x "$bin/$program" ] || missing="$missing $program"
        done
        if [ "$missing" ]; then
            echo "ok $tests - $feature # SKIP not built:$missing"
            continue
        fi
        set -- "$corpus"/golden/*."$feature".tsv*
        if [ ! -e "$1" ]; then
            echo "ok $tests - $feature # SKIP no reference table"
            continue
        fi
        # shellcheck disable=SC2094 # it is read only
        only=$(sed -n "s/^# only $feature: //p" "$features")
        # shellcheck disable=SC2094
        if said=$($python "$check" --corpus "$corpus" --bin "$bin" --features "$features" \
            --only "${only:-*}.$feature" 2>&1); then
            echo "ok $tests - $feature: $(printf '%s\n' "$said" | tail -n 1)"
        else
            echo "not ok $tests - $feature"
            failed=$((failed + 1))
        fi
        printf '%s\n' "$said" | sed 's/^/# /'
    done 3<"$features"
    echo "1..$tests"
    [ $failed -eq 0 ]
}
