# Truth: the manual's exit statuses; a trace in JSON has no tables.
echo '[{"ph": "X", "ts": 1, "dur": 1, "name": "a"}]' > small.json
tr-view -q --by samples small.json
