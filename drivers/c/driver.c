/* A driver of parallax for C and C++: links with a file that defines parallax_run.
 *
 *     cc -O1 -c driver.c && cc -O1 -g -fsanitize-coverage=trace-pc -c parse.c && cc -o parse driver.o parse.o
 *
 * -fsanitize-coverage, and -DFEATURES=65536 for driver.c, are for coverage: both or none. Only the files under test are compiled
 * with it; driver.c never is. Addresses are told from the beginning of the executable: link statically what is to be covered. */
#define _GNU_SOURCE 1
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C"
#endif
/* Writes to out what an accepted input is compared by, or why an input is rejected. Returns 0: accepted, 1: rejected,
 * 2: declined (not its business). Anything else is a crash, but to abort is better: the process is replaced. Memory stays
 * from input to input, so it must be freed. data may not be changed. */
int parallax_run(const unsigned char *data, size_t size, FILE *out);

#ifndef FEATURES
static const uint32_t packed = 0;
#else
/* How often each block ran with this input, up to 16 times, and which did; a block's number is its place in the executable. */
static uint8_t hits[FEATURES];
static uint32_t ran[FEATURES], features, packed;
extern const char __executable_start; /* of the linkers of GNU and LLVM */

#ifdef __cplusplus
extern "C"
#endif
void __sanitizer_cov_trace_pc(void) {
    uintptr_t place = (uintptr_t)__builtin_return_address(0) - (uintptr_t)&__executable_start;
    uint32_t n = (uint32_t)((place ^ place >> 16) % FEATURES);
    if (hits[n] == 0) ran[features++] = n;
    if (hits[n] < 16) hits[n]++, packed++;
}
#endif

static void fail(const char *what) {
    perror(what);
    _exit(125);
}

static void put32(FILE *f, uint32_t n) {
    unsigned char b[4] = {(unsigned char)n, (unsigned char)(n >> 8), (unsigned char)(n >> 16), (unsigned char)(n >> 24)};
    fwrite(b, 1, 4, f);
}

int main(void) {
    /* What is printed goes to standard error: answers have a descriptor of their own. */
    FILE *requests = fdopen(dup(0), "rb"), *answers = fdopen(dup(1), "wb");
    if (!requests || !answers || dup2(2, 1) < 0 || !freopen("/dev/null", "rb", stdin)) fail("pipes");
    setvbuf(stdout, NULL, _IOLBF, 0);
#ifdef FEATURES
    fprintf(answers, "parallax-driver 1 numbers features=%d\n", FEATURES);
    features = packed = 0; /* of constructors */
    memset(hits, 0, sizeof hits);
#else
    fprintf(answers, "parallax-driver 1 numbers\n");
#endif
    fflush(answers);
    unsigned char header[4];
    for (uint32_t number = 0; fread(header, 1, 4, requests) == 4; number++) {
        size_t size = header[0] | header[1] << 8 | header[2] << 16 | (size_t)header[3] << 24;
        /* Exactly as long as the input, so that sanitizers see reads behind it. */
        unsigned char *data = (unsigned char *)malloc(size);
        if (!data && size) fail("memory for an input");
        if (fread(data, 1, size, requests) != size) break;
        char *text = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&text, &length);
        if (!out) fail("memory for a value");
        int result = parallax_run(data, size, out);
        fclose(out);
        put32(answers, (uint32_t)(9 + length + 4 * packed));
        put32(answers, number);
        putc(result == 0 ? 'A' : result == 1 ? 'R' : result == 2 ? 'D' : 'C', answers);
        put32(answers, (uint32_t)length);
        fwrite(text, 1, length, answers);
#ifdef FEATURES
        for (uint32_t i = 0; i < features; i++)
            for (; hits[ran[i]] > 0; hits[ran[i]]--) put32(answers, ran[i]);
        features = packed = 0;
#endif
        fflush(answers);
        free(text);
        free(data);
    }
    return 0;
}
