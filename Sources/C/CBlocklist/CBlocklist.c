#include "CBlocklist.h"

// In C and not in Swift, where a literal of a hundred kilobytes takes the compiler half a minute.
static const unsigned char list[] = {
#embed "../../../Blocklist/common-passwords.list"
};

const unsigned char *latchkey_blocklist(void) { return list; }

size_t latchkey_blocklist_size(void) { return sizeof list; }
