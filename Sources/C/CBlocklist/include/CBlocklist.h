#pragma once

#include <stddef.h>

/// The list of common passwords, Blocklist/common-passwords.list: in the read-only data of the program, of which the
/// system loads the pages that are looked at.
const unsigned char *latchkey_blocklist(void);

/// How many bytes it has.
size_t latchkey_blocklist_size(void);
