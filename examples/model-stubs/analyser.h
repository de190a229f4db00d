/* How stubs talk to the analyser. */
#include <stddef.h>

/* What comes is about calls on which the condition holds. */
void __VERIFIER_assume(int condition);

/* There is no stub of this. */
void analyser_gap(const char *what);
