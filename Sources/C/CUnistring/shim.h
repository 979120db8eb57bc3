// First of all: libunistring redefines int32_t and its like as macros, and what the C library declares under those would
// no longer match what other modules saw.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <unictype.h>
#include <unigbrk.h>
#include <uninorm.h>
#include <uniwidth.h>
#include <unicase.h>
#include <unistr.h>

// Swift imports no macro that holds an expression, and no variable of an incomplete type.
static inline uninorm_t latchkey_nfc(void) { return UNINORM_NFC; }
static inline uninorm_t latchkey_nfkc(void) { return UNINORM_NFKC; }
