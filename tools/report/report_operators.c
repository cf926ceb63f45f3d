/* SPDX-License-Identifier: MIT */
/* tr-report: the keys of operators and their models, for all sections about them. */
#include "report/report.h"

#include "analysis/operators/tr_operators.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "analysis/roofline/tr_roofline_analyses.h"

enum tr_status report_operators_prepare(struct report *r, struct tr_error *err)
{
    struct report_operators *o = &r->operators;
    bool modelled = r->wanted[REPORT_FAMILIES] || r->wanted[REPORT_ROOFLINE] || r->wanted[REPORT_FINDINGS];
    o->shared.by = (r->wanted[REPORT_FINDINGS] ? TR_OPERATOR_RECOMPUTE : 0u) |
                   (r->wanted[REPORT_SHAPES] ? TR_OPERATOR_SHAPE : 0u) |
                   (r->wanted[REPORT_PARENTS] ? TR_OPERATOR_KERNEL : 0u) |
                   (modelled ? TR_OPERATOR_SHAPE | TR_OPERATOR_ARGS : 0u);
    o->shared.graphs = o->graphs;
    enum tr_status st = modelled ? tr_models_load(&o->models, NULL, err) : TR_OK;
    if (st == TR_OK && r->o->arch)
        st = tr_peaks_load(&o->peaks, r->o->arch, err);
    o->names = (struct tr_operator_options){ .shared = &o->shared };
    o->shapes = (struct tr_operator_options){ .shared = &o->shared, .by = TR_OPERATOR_SHAPE };
    o->kernels = (struct tr_operator_options){ .shared = &o->shared, .by = TR_OPERATOR_KERNEL };
    o->families = (struct tr_roofline_options){ .shared = &o->shared,
                                                .models = o->models,
                                                .peaks = r->o->arch ? &o->peaks : NULL };
    o->params = o->families;
    o->params.by = TR_ROOFLINE_PARAMS;
    return st;
}

const void *report_options_of(const struct report *r, enum report_id id)
{
    switch (id) {
    case REPORT_OPERATORS:
    case REPORT_CATEGORIES:
        return &r->operators.names;
    case REPORT_SHAPES:
        return &r->operators.shapes;
    case REPORT_PARENTS:
        return &r->operators.kernels;
    case REPORT_FAMILIES:
        return &r->operators.families;
    case REPORT_ROOFLINE:
        return &r->operators.params;
    default:
        return report_sections[id].options;
    }
}
