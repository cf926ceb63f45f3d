# Truth: the manual's exit statuses; nothing is written.
echo '[]' > empty.json
tr-view --columns ts,nmae empty.json
