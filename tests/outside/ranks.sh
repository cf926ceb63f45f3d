# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What the tests of the recipes for many ranks share: 64 traces, the page that one run makes of them, and programs that
# fail as they are asked to; read by `.' after lib.sh.
gen=${TR_GEN:-$built/gen/trgen}
case $gen in /*) ;; *) gen=$built/$gen ;; esac
recipes=$root/contrib/recipes
[ -x "$bin/tr-report" ] && [ -x "$gen" ] || skip_all "the programs are not built"
mkdir in bin fault whole && "$gen" --ranks 64 --steps 2 --layers 2 --no-truth --output in || exit 99

# page FILE TRACE...: what one run prints; percentiles as in partial results
page()
{
    to=$1
    shift
    tr-report -q --distinct=64 -o "$to" "$@"
}
page want.txt in/rank*.json || exit 99

# A file fault/RANK says how the next run for this rank goes wrong:
#   program   it is killed, as by a kernel without memory
#   task      what started it is killed
#   deadly    the same, and each run after it
#   hang      it never ends; fault/RANK.hangs has its number, and the node of Slurm
cat >bin/tr-report <<END
#!/bin/sh
case "\$*" in *--save-partial*)
    for trace; do :; done
    rank=\${trace##*rank} && rank=\${rank%.json}
    fault=\$(cat "$tmp/fault/\$rank" 2>/dev/null)
    [ "\$fault" = deadly ] || rm -f "$tmp/fault/\$rank"
    case \$fault in
    program) kill -9 \$\$ ;;
    task | deadly) kill -9 \$PPID \$\$ ;;
    hang) echo "\$\$ \$SLURMD_NODENAME" >"$tmp/fault/\$rank.hangs" && exec sleep 300 ;;
    esac
    ;;
esac
exec "$bin/tr-report" "\$@"
END
chmod +x bin/tr-report

# fail RANK HOW
fail()
{
    echo "$2" >"fault/$1"
}

# until_there FILE SECONDS: wait for a file
until_there()
{
    for _ in $(seq $(($2 * 5))); do
        [ ! -e "$1" ] || return 0
        sleep 0.2
    done
    return 1
}

# without RANK...: the other traces
without()
{
    skipped=" $* "
    for trace in in/rank*.json; do
        rank=${trace##*rank} && rank=${rank%.json}
        case $skipped in *" $rank "*) ;; *) echo "$trace" ;; esac
    done
}

# spoil: rank 17 has a trace that is none, and that of rank 18 lacks its end; want63.txt is the page of 63 ranks.
spoil()
{
    mv in/rank17.json in/rank18.json whole/
    echo 'no trace' >in/rank17.json
    head -c 300000 whole/rank18.json >in/rank18.json
    # shellcheck disable=SC2046 # names without blanks
    page want63.txt $(without 17)
}
# repair: they are whole again
repair()
{
    cp whole/* in/
}
# is_whole OUT WHAT: the page of all ranks
is_whole()
{
    cmp want.txt "$1/report.txt" >wrong 2>&1
    none wrong "$2: the page is that of one run"
    none "$1/missing" "$2: nothing is missing"
}
