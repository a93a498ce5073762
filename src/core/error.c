#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Status fail(Error *error, Status status, const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

void tell(Error *notice, const char *format, ...) {
    if (!notice)
        return;
    const size_t used = strlen(notice->text), room = sizeof notice->text - used;
    const int joint = used ? snprintf(notice->text + used, room, "; ") : 0;
    if ((size_t)joint >= room)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(notice->text + used + joint, room - (size_t)joint, format, arguments);
    va_end(arguments);
}

Digits digits_of(double number) {
    Digits digits = { "nan" }; // without a sign
    for (int count = 10; count <= 17 && strtod(digits.text, NULL) != number && number == number; count++)
        snprintf(digits.text, sizeof digits.text, "%.*g", count, number);
    return digits;
}
