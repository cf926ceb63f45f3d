# Truth: tr-expr(7): there is no such field.
tr-overlap --where 'nmae == gemm' none.json
