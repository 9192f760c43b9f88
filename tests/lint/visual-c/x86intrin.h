/* SPDX-License-Identifier: MIT */
/* windows.h asks for the intrinsics of the processor, which nothing of ours uses; long to read.
 * Only for visual-c.sh. */
