# Truth: tr-expr(7): a time needs a unit.  The second of two is wrong; the input is not looked at.
tr-breakdown --where true --where 'kind == comm && dur > 50' none.json
