#include <nettle/hmac.h>
#include <nettle/pbkdf2.h>
#include <nettle/sha1.h>
