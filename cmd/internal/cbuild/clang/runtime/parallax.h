/* What a harness may tell parallax, beside what LLVMFuzzerTestOneInput returns. All of it is optional, and a harness that uses it
 * still links with libFuzzer and every other driver of LLVMFuzzerTestOneInput: there the calls do nothing.
 *
 * LLVMFuzzerTestOneInput returns 0: the input is accepted; -1: it is none for this program (declined); anything else: it is
 * rejected, and the number is why. */
#ifndef PARALLAX_H
#define PARALLAX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((weak)) void plx_output(const void *data, size_t size);
__attribute__((weak)) void plx_reject(const char *why);

/* parallax_output(data, size) adds to what the program gave for this input. Values of accepted inputs are compared between programs.
 * It is a macro, as the next is, so that its place is where it is called. */
#define parallax_output(data, size) ((void)(plx_output ? (plx_output((data), (size)), 0) : 0))

/* parallax_reject(why) says that the input is rejected, and why: the text of an error or the name of a code. What is compared is its
 * class, without numbers and quoted parts. It stands whatever LLVMFuzzerTestOneInput returns. */
#define parallax_reject(why) ((void)(plx_reject ? (plx_reject(why), 0) : 0))

#ifdef __cplusplus
}
#endif
#endif
