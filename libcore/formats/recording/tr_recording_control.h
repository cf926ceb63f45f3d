/* SPDX-License-Identifier: MIT */
/* The file by which tr-record pauses and resumes the programs of a session, which map it. */
#ifndef TR_RECORDING_CONTROL_H
#define TR_RECORDING_CONTROL_H

#include <stdint.h>

#define TR_REC_CONTROL "control" /* its name in the folder of the session */

struct tr_rec_control {
    uint32_t turn; /* counts the changes: odd while recording is paused; read and written by __atomic_ functions */
};

#endif
