# Truth: the page.  With gaps, waiting for a data loader is known by its usual names; --data takes others.  Without gaps the
# path is shorter than its window, and a remark says so.
set -- --step 17 -O tsv "$SAMPLE/rank0.json.gz"
echo "== gaps"
tr-critpath --gaps "$@" | grep -E 'data|gap'
echo "== other names"
tr-critpath --gaps --data '^nothing$' "$@" | grep -E 'data|gap'
echo "== without"
tr-critpath "$@" | tail -n 1
