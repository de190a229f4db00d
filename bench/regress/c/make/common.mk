# Builds the harness of a pair: SOURCES, and what compiles them in CC, FLAGS, INCLUDE and LIBS, are set by the Makefile that includes this file.
PARALLAX ?= parallax
CC = $(PARALLAX) cc
CXX = $(PARALLAX) c++
FLAGS ?= -O1

OBJECTS = $(patsubst %,build/%.o,$(SOURCES))

harness: $(OBJECTS)
	$(LINK) $(FLAGS) $(OBJECTS) $(LIBS) -o $@

build/%.c.o: %.c
	@mkdir -p $(dir $@)
	$(CC) $(FLAGS) $(INCLUDE) -c $< -o $@

build/%.cc.o: %.cc
	@mkdir -p $(dir $@)
	$(CXX) $(FLAGS) $(INCLUDE) -c $< -o $@

clean:
	rm -rf build harness harness.parallax

.PHONY: clean
