/* SPDX-License-Identifier: MIT */
/* Would dyld load our library into a program? */
#include "tracer/macos/insert.h"

#include "tracer/macos/macho.h"

/* As <sys/stat.h> has them on macOS. */
#define MODE_SETUID 04000u
#define MODE_SETGID 02000u
#define FLAG_RESTRICTED 0x00080000u /* SF_RESTRICTED: protected by the system */

enum ft_reason ft_can_insert(ft_image_read *read, void *context,
                             const struct ft_insert_facts *facts)
{
    struct ft_macho macho;

    if (((facts->mode & MODE_SETUID) && facts->owner != facts->user) ||
        ((facts->mode & MODE_SETGID) && facts->group != facts->user_group))
        return FT_REASON_SETUID;
    ft_macho_inspect(read, context, facts->own, &macho);
    /* Without the system's protection dyld takes the variables for its programs, too. */
    if (!facts->protection_off && ((facts->flags & FLAG_RESTRICTED) || macho.is_platform))
        return FT_REASON_PROTECTED;
    if (!macho.cpu)
        return FT_REASON_NOT_ENTERED;
    /* dyld ends a program when an inserted library lacks its slice. */
    if (!(facts->library & macho.cpu))
        return FT_REASON_NO_SLICE;
    if (!macho.is_program || !macho.has_loader)
        return FT_REASON_NOT_ENTERED;
    if (macho.restrict_section || (macho.code_flags & FT_CODE_RESTRICT))
        return FT_REASON_RESTRICTED;
    if ((macho.code_flags & FT_CODE_RUNTIME) && !macho.allows_variables)
        return FT_REASON_HARDENED;
    /* Our library is signed by nobody: where libraries are checked, dyld ends the program. With
     * the system's own programs that check is moot once its protection is off. */
    bool checks_libraries =
        macho.code_flags & (FT_CODE_RUNTIME | FT_CODE_LIBRARIES | FT_CODE_FORCED_LIBRARIES);
    if (checks_libraries && !macho.allows_libraries &&
        !(macho.is_platform && facts->protection_off))
        return FT_REASON_HARDENED;
    return FT_REASON_NONE;
}
