SOURCES = harness.c src/cJSON.c src/cJSON_Utils.c
INCLUDE = -Isrc
LINK = $(CC)
LIBS = -lm
include common.mk
