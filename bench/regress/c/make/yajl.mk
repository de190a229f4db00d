SOURCES = harness.c src/yajl.c src/yajl_alloc.c src/yajl_buf.c src/yajl_encode.c src/yajl_gen.c src/yajl_lex.c src/yajl_parser.c src/yajl_tree.c
INCLUDE = -Isrc -Iinclude
LINK = $(CC)
include common.mk
