# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What the property tests share beside the harness; read by `.' from a script in a folder of tests.
#
# From outside, beside TR_BIN: TR_GEN, the generator of traces [gen/trgen]; PYTHON.

. "$(dirname "$0")/../harness/tap.sh"
python=${PYTHON:-python3}
gen=${TR_GEN:-gen/trgen}
case $gen in /*) ;; *) gen=$built/$gen ;; esac
command -v "$python" >"$tmp/said" || skip_all "no $python"

# need PROGRAM...: all of these, or nothing here can run.
need()
{
    for program; do
        have "$program" || skip_all "$program is not built"
    done
}

have()
{
    [ -n "$bin" ] && [ -x "$bin/$1" ]
}

# same A B WHAT: the files are equal, byte by byte.
same()
{
    if cmp "$1" "$2" >"$tmp/cmp" 2>&1; then
        ok 0 "$3"
    else
        ok 1 "$3"
        sed 's/^/# /' "$tmp/cmp"
    fi
}

# make_traces FOLDER OPTION...: rank0.json, rank1.json, ... and the true answers, by the generator.
make_traces()
{
    [ -x "$gen" ] || skip_all "the generator is not built (TR_GEN)"
    mkdir -p "$1" && "$gen" --output "$@" || { echo "Bail out! the generator failed"; exit 99; }
}

# run WHAT COMMAND...: the command must end with status 0; what it said is shown when it does not.
run()
{
    what=$1
    shift
    if "$@" >"$tmp/said" 2>&1; then
        ok 0 "$what"
    else
        ok 1 "$what"
        sed 's/^/# /' "$tmp/said" | head -n 20
    fi
}

# take FILE WHAT: the TAP lines of another program, as lines of this one.
take()
{
    while read -r line <&3; do
        said=${line#*- }
        case $line in
        'ok '*'# SKIP'*) skip "${said%% # SKIP*}" "${said##*# SKIP }" ;;
        'ok '*) ok 0 "$said" ;;
        'not ok '*) ok 1 "$said" ;;
        1..*) ;;
        *) printf '%s\n' "$line" ;;
        esac
    done 3<"$1"
    grep '^1\.\.' "$1" >"$tmp/plan" || ok 1 "$2 came to its end"
}
