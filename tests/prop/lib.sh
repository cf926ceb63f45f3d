# What the property tests share; to be read by `.' from a script in this folder.
#
# Variables from outside: TR_BIN, folder of the built programs [../tools]; TR_GEN, the trace
# generator [gen/trgen]; srcdir, the folder tests of the source tree [.., seen from this folder];
# PYTHON.

here=$(cd "$(dirname "$0")" && pwd)
root=${srcdir:-$here/..}
root=$(cd "$root" && pwd)/..
bin=$(cd "${TR_BIN:-../tools}" 2>/dev/null && pwd)
gen=${TR_GEN:-gen/trgen}
python=${PYTHON:-python3}
case $gen in /*) ;; *) gen=$(pwd)/$gen ;; esac
PATH=$bin:$PATH
LC_ALL=C
export PATH LC_ALL
tests=0
failures=0

# skip_all WHY: nothing here can run.
skip_all()
{
    echo "1..0 # SKIP $1"
    exit 0
}

# need PROGRAM...: all of these, or nothing here can run.
need()
{
    for program; do
        [ -n "$bin" ] && [ -x "$bin/$program" ] || skip_all "$program is not built"
    done
}

have()
{
    [ -x "$bin/$1" ]
}

# ok STATUS WHAT: one TAP line; STATUS 0 is good.
ok()
{
    tests=$((tests + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tests - $2"
    else
        echo "not ok $tests - $2"
        failures=$((failures + 1))
    fi
}

skip()
{
    tests=$((tests + 1))
    echo "ok $tests - $1 # SKIP $2"
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

finish()
{
    echo "1..$tests"
    [ "$failures" -eq 0 ]
    exit
}

tmp=${TMPDIR:-/tmp}/tr-prop.$$
(umask 077 && mkdir "$tmp") || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
