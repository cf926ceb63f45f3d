# Truth: the manual's exit statuses; nothing is written.
echo '[]' > empty.json
tr-view --fields ts,nmae empty.json
