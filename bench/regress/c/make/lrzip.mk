# harness.cc includes libzpaq.cpp. Without NOJIT libzpaq makes machine code of the archive's programs, which has neither counters nor sanitizers.
SOURCES = harness.cc
# Its models shift negative numbers to the left all the time, on both sides.
INCLUDE = -Isrc/libzpaq -DNOJIT -fno-sanitize=shift
LINK = $(CXX)
include common.mk
