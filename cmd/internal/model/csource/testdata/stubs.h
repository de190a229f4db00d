/* What the stubs know of the analyser that they belong to. */
#ifndef STUBS_H
#define STUBS_H
#include <stddef.h>

void klee_silent_exit(int status);
void klee_report_error(const char *file, int line, const char *message, const char *suffix);
void klee_assume(unsigned long condition);

#define REPORT(message) klee_report_error(__FILE__, __LINE__, message, "ptr.err")
#endif
