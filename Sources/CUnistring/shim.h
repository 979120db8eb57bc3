#include <unictype.h>
#include <uninorm.h>
#include <uniwidth.h>
#include <unicase.h>
#include <unistr.h>
