#!/bin/sh
# SPDX-License-Identifier: MIT
# tr-view --open: who gets what, and when it ends (open.py).  Without its library, one line says so.
. "$(dirname "$0")/../prop/lib.sh"
[ -x "$bin/tr-view" ] || skip_all "the programs are not built"
make_sample >a.json
while read -r options; do
    # shellcheck disable=SC2086 # several options
    tr-view $options a.json >out 2>err
    is "$? $(wc -l <err) $(wc -c <out)" "2 1 0" "refused: tr-view $options"
done <<'END'
--open -O tsv
--open --by table
--port 9001
--keep -O perfetto
--budget 1M
--gpu-stages -O chrome
--open --unit us
END
case $(tr-view --version) in
*microhttpd*) ;;
*)
    tr-view --open a.json >out 2>err
    is "$? $(cat err)" "2 tr-view: --open needs libmicrohttpd, which this program was built without" "without its library"
    finish
    exit
    ;;
esac
python=${PYTHON:-python3}
command -v "$python" >said || skip "who gets what" "no $python"
tr-view --open --port 0 a.json.none >out 2>err
case $(cat err) in
*libmicrohttpd*) skip "who gets what" "no libmicrohttpd.so.12" ;;
*)
    echo nothing >broken
    "$python" "$here/open.py" "$bin" a.json broken >said 2>&1
    take said "who gets what"
    ;;
esac
finish
