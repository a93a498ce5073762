// The rules by which streams get their orders where they meet.

#ifndef ESKER_STREAM_ORDER_H
#define ESKER_STREAM_ORDER_H

#include "core/math.h"

enum { METHOD_STRAHLER, METHOD_SHREVE, METHOD_HACK };

// The streams that meet in a cell: the greatest order, how many have it, and the sum of all orders.
typedef struct Meeting { // zeroed: none
    float most, sum;
    int count;
} Meeting;

static inline void meeting_add(Meeting *meeting, float order) {
    meeting->count = order > meeting->most ? 1 : meeting->count + (order == meeting->most);
    meeting->most = max(order, meeting->most);
    meeting->sum += order;
}

static inline float strahler_order(Meeting meeting) {
    return meeting.most + (meeting.count == 1 ? 0 : 1);
}

static inline float shreve_order(Meeting meeting) {
    return max(meeting.sum, 1);
}

#endif
