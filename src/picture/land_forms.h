// Land at three scales: slopes of the cells themselves, of hills and of ranges, so that a picture shows large
// forms as well as detail, as a cartographer draws them (Imhof 1982, chapter 9: generalization; Patterson
// 2001, "resolution bumping": a detailed elevation model blended with a smoothed one).
//
// Heights are smoothed by means over squares of 8 and of 32 cells, twice each. A mean of 2^k cells is k sums
// of two: each cell's depends on the cells around it alone, in one order, so windows agree to the bit.

#ifndef ESKER_LAND_FORMS_H
#define ESKER_LAND_FORMS_H

enum {
    FORMS_WIDTH = 128, // columns that are smoothed at once, at most
    FORMS_REACH = 32,  // cells around a cell on which its slopes depend
    FORM_STEPS_MOST = 5,
    FORM_LINE = FORMS_WIDTH + 2,
    FORM_READ = FORM_LINE + 2 * ((1 << FORM_STEPS_MOST) - 1),
};

// One scale, for some columns, whose rows come from the top.
typedef struct Form {
    int steps, read;          // squares are of 2^steps cells; rows so far
    float (*sums)[FORM_LINE]; // 2 reach rows, for rows to come back to
    float rows[3][FORM_LINE]; // the last three smoothed ones
} Form;

// Cells around a smoothed one on which it depends.
static inline int form_reach(const Form *form) {
    return (1 << form->steps) - 1;
}

// `sums`: room for 2 reach rows.
void form_begin(Form *form, int steps, float (*sums)[FORM_LINE]);

// Adds a row of count + 2 + 2 reach cells, the first of them reach + 1 left of the first column.
void form_add(Form *form, const float *cells, int count);

// The smoothed rows: 0 the upper, 1 the middle, which lies reach + 1 rows above the last one that was added,
// 2 the lower; from the column left of the first on.
const float *form_row(const Form *form, int i);

#endif
