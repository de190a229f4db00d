/* BoringSSL has OpenSSL's interface. */
#include "openssl.c"
