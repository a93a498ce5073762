// Minimum, maximum, mean, standard deviation and sum of the heights.

#include "core/operation.h"
#include "core/summary.h"

static Status run(const Call *call, Error *error) {
    Summary summary;
    const Status status = field_summarise(call->run, call->inputs[0].field, &summary, error);
    if (status != STATUS_OK)
        return status;
    const double numbers[] = { summary.min, summary.max, summary.mean, summary.stddev, summary.sum };
    for (int i = 0; i < 5; i++)
        call->outputs[i].number = numbers[i];
    return STATUS_OK;
}

const Operation op_statistics = {
    .name = "statistics",
    .gaps = GAPS_OWN,
    .category = "analysis",
    .keywords = "mean average deviation minimum maximum sum range median univar zonal nanmean std "
                "percentile variance",
    .summary = "Gives minimum, maximum, mean, standard deviation and sum of a field",
    .description = "Sums use double precision and a fixed order, so they do not depend on the number of "
                   "threads. The standard deviation is that of the whole population.",
    .inputs = { { "height", "any field" } },
    .outputs = { { "min", "lowest", &type_number, .dimension = DIMENSION_HEIGHT },
                 { "max", "highest", &type_number, .dimension = DIMENSION_HEIGHT },
                 { "mean", "average", &type_number, .dimension = DIMENSION_HEIGHT },
                 { "stddev", "standard deviation", &type_number, .dimension = DIMENSION_HEIGHT },
                 { "sum", "sum", &type_number, .dimension = DIMENSION_HEIGHT } },
    .record = true,
    .example = "local mean = height:statistics().mean",
    .see_also = "histogram",
    .run = run,
};
