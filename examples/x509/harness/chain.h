/* What the harnesses of the X.509 experiment have in common: the input, the moment of verification, verdicts.
 *
 * An input is a list of certificates, the leaf first, each as three bytes of length, big endian, and that many bytes of DER: package
 * chain has the same in Go. What is framed otherwise is rejected by every program alike. A certificate that the library cannot read,
 * anywhere in the list, is a rejection of class parse, as it is in each library's TLS.
 *
 * A harness is LLVMFuzzerTestOneInput. What it rejects it gives to parallax_reject: a class that all libraries have in common, and
 * then the library's own code. It returns 0 all the same, since libFuzzer, which it also links with, has no rejections.
 */
#ifndef CHAIN_H
#define CHAIN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* parallax cc has the header, other compilers do without. */
#if __has_include(<parallax.h>)
#include <parallax.h>
#else
#define parallax_reject(why) ((void)(why))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* 2024-06-15 12:00:00 UTC */
#define CHAIN_TIME ((time_t)1718452800)
#define CHAIN_MAX 8

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct cert {
	const uint8_t *der;
	size_t size;
};

/* The certificates of an input, -1 if it is no list of them. */
static inline int chain_split(const uint8_t *data, size_t size, struct cert *list) {
	int n = 0;
	while (size > 0) {
		size_t length;
		if (size < 3 || n == CHAIN_MAX) {
			return -1;
		}
		length = (size_t)data[0] << 16 | (size_t)data[1] << 8 | data[2];
		if (length > size - 3) {
			return -1;
		}
		list[n].der = data + 3;
		list[n].size = length;
		n++;
		data += 3 + length;
		size -= 3 + length;
	}
	return n;
}

/* The text of the last rejection, empty after an acceptance: replay.c prints it. */
extern char verdict[256];

static inline int accept_chain(void) {
	verdict[0] = 0;
	return 0;
}

static inline int reject_chain(const char *klass, const char *code) {
	snprintf(verdict, sizeof verdict, "%s %s", klass, code ? code : "");
	parallax_reject(verdict);
	return 0;
}

/* A row of a library's table of codes. */
struct code {
	long value;
	const char *klass, *name;
};

static inline const struct code *find_code(const struct code *table, size_t n, long value) {
	for (size_t i = 0; i < n; i++) {
		if (table[i].value == value) {
			return &table[i];
		}
	}
	return NULL;
}

static inline int reject_code(const struct code *table, size_t n, long value) {
	const struct code *c = find_code(table, n, value);
	char number[32];
	if (c) {
		return reject_chain(c->klass, c->name);
	}
	snprintf(number, sizeof number, "%ld", value);
	return reject_chain("other", number);
}

#define REJECT_CODE(table, value) reject_code(table, sizeof(table) / sizeof(table)[0], value)

#ifdef __cplusplus
}
#endif

/* HARNESS defines what a harness has once; FROZEN_CLOCK also the time for libraries that cannot be told one: they ask time(). */
#define HARNESS char verdict[256];
#define FROZEN_CLOCK                                                                                                                    \
	time_t time(time_t *t) {                                                                                                            \
		if (t) {                                                                                                                        \
			*t = CHAIN_TIME;                                                                                                            \
		}                                                                                                                               \
		return CHAIN_TIME;                                                                                                              \
	}

#endif
