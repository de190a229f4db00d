/* Included before main.c of the runtime: marks the programs that have parallax's main function, which are the harnesses. */
__attribute__((used, retain, section(".parallax.main"))) static const char parallax_main = 1;
