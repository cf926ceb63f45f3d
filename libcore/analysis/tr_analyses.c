/* The list of analyses. */
#include "analysis/tr_analyses.h"

const struct tr_analysis *const tr_analyses[] = {
    &tr_analysis_time,  &tr_analysis_overlap,    &tr_analysis_type, &tr_analysis_classes,
    &tr_analysis_idle,  &tr_analysis_kernel,     &tr_analysis_class, &tr_analysis_annotation,
    &tr_analysis_api,   &tr_analysis_launch,     &tr_analysis_operator, &tr_analysis_tree,
    &tr_analysis_nesting, NULL,
};
