/* The function that parallax runs. driver.c has the rules. Replace it by a call of yours. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int parallax_run(const unsigned char *data, size_t size, FILE *out) {
    char text[64], *end;
    if (size >= sizeof text || memchr(data, 0, size)) return 1;
    memcpy(text, data, size);
    text[size] = 0;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (end == text || *end || errno) return 1;
    fprintf(out, "%ld", n);
    return 0;
}
