# What configure --with-minimum --with-output --with-pattern compiles; config.h and xmlversion.h are those it wrote.
NAMES = SAX2 buf chvalid dict encoding entities error globals hash list parser parserInternals pattern threads tree uri valid \
	xmlIO xmlmemory xmlsave xmlstring xmlunicode SAX
SOURCES = harness.c $(NAMES:%=src/%.c)
INCLUDE = -Isrc -Isrc/include -DHAVE_CONFIG_H
LINK = $(CC)
LIBS = -lm
include common.mk
