# openbsd-reallocarray.c is left out: the harness has a function of that name, with a limit.
SOURCES = harness.c src/dgif_lib.c src/egif_lib.c src/gifalloc.c src/gif_err.c src/gif_hash.c
INCLUDE = -Isrc -std=gnu99
LINK = $(CC)
include common.mk
