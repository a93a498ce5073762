#include "places/saddles.h"

#include "core/counts.h"
#include "core/math.h"
#include "core/memory.h"

#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 6, DIGIT_VALUES = 1 << DIGIT_BITS };

static uint32_t digit_of(const Saddle *saddle, int digit) {
    return (uint32_t)(saddle->place >> (digit * DIGIT_BITS)) & (DIGIT_VALUES - 1);
}

// By radix, but for digits that are all the same.
void saddles_sort(Saddles *list) {
    uint32_t start[DIGITS][DIGIT_VALUES];
    memset(start, 0, sizeof start);
    for (size_t i = 0; i < list->count; i++)
        for (int digit = 0; digit < DIGITS; digit++)
            start[digit][digit_of(&list->at[i], digit)]++;
    for (int digit = 0; digit < DIGITS && list->count > 0; digit++) {
        if (start[digit][digit_of(list->at, digit)] == list->count)
            continue;
        counts_to_starts(start[digit], DIGIT_VALUES);
        for (size_t i = 0; i < list->count; i++)
            list->scratch[start[digit][digit_of(&list->at[i], digit)]++] = list->at[i];
        Saddle *const sorted = list->scratch;
        list->scratch = list->at;
        list->at = sorted;
    }
}

Status saddles_reserve(Saddles *list, size_t more, Error *error) {
    if (list->room - list->count >= more)
        return STATUS_OK;
    const size_t room = list->room + list->room / 2 + more;
    Saddle *grown = memory_enlarge(list->at, list->count, room, sizeof *grown, error);
    if (!grown)
        return STATUS_MEMORY;
    list->at = grown;
    list->room = room;
    return STATUS_OK;
}

Status saddles_append(Saddles *list, const Saddles *from, Error *error) {
    const Status status = saddles_reserve(list, from->count, error);
    if (status == STATUS_OK && from->count > 0)
        memcpy(list->at + list->count, from->at, from->count * sizeof *list->at);
    list->count += status == STATUS_OK ? from->count : 0;
    return status;
}

void saddles_forget(SeenSaddles *seen) {
    memset(seen, 0, sizeof *seen);
}

void saddles_flush(SeenSaddles *seen, Saddles *list) {
    for (int i = 0; i < SADDLES_SEEN; i++)
        if (seen->at[i].one != seen->at[i].other)
            list->at[list->count++] = seen->at[i];
    saddles_forget(seen);
}

void saddles_note(SeenSaddles *seen, Saddles *list, Saddle saddle) {
    const uint32_t slot =
        (saddle.one * UINT32_C(0x9e3779b1) + saddle.other * UINT32_C(0x85ebca77)) >> (32 - SADDLES_SEEN_BITS);
    Saddle *last = &seen->at[slot];
    if (last->one == saddle.one && last->other == saddle.other) {
        last->place = min(last->place, saddle.place);
        return;
    }
    if (last->one != last->other)
        list->at[list->count++] = *last;
    *last = saddle;
}
