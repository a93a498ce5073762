// Reads points from a table (RFC 4180).

#ifndef ESKER_CSV_READER_H
#define ESKER_CSV_READER_H

#include "core/format.h"

// Of a file with a row of names, which are separated by commas, semicolons or tabs.
Status read_csv(Reading *reading, Error *error);

#endif
