// What the writers of networks share.

#ifndef ESKER_NETWORK_FILES_H
#define ESKER_NETWORK_FILES_H

#include "rivers/network.h"

// The coordinates of a point in files.
void network_locate(const RiverNetwork *network, const RiverPoint *point, double place[2]);

#endif
