/* What the tests run by the driver for C: a number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is(const unsigned char *data, size_t size, const char *word) {
    return size == strlen(word) && memcmp(data, word, size) == 0;
}

int parallax_run(const unsigned char *data, size_t size, FILE *out) {
    printf("stray print\n");
    if (is(data, size, "crash")) abort();
    if (is(data, size, "exit")) exit(3);
    if (is(data, size, "decline")) return 2;
    if (is(data, size, "strange")) {
        fputs("a result that has no meaning", out);
        return 7;
    }
    if (size > 1000 || (size > 0 && data[0] == 0xff)) {
        fwrite(data, 1, size, out);
        return 0;
    }
    long n = 0;
    for (size_t i = 0; i < size; i++) {
        if (data[i] < '0' || data[i] > '9' || n > 1000000000) {
            fprintf(out, "no digit at %zu", i);
            return 1;
        }
        n = 10 * n + data[i] - '0';
    }
    if (size == 0) return 1;
    fprintf(out, "%ld", n);
    return 0;
}
