// OpenEXR's C library, which is opened when it is first needed.

#ifndef ESKER_EXR_H
#define ESKER_EXR_H

// Opens the library, if it is there, before this process is confined.
void exr_prepare(void);

#endif
