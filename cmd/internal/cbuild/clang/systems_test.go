package clang

import (
	"os/exec"
	"testing"
)

// project has build files that know nothing of parallax except the compiler's name.
var project = map[string]string{
	"CMakeLists.txt": `cmake_minimum_required(VERSION 3.10)
project(small C CXX)
include(CheckFunctionExists)
include(CheckCCompilerFlag)
check_function_exists(memmem HAVE_MEMMEM)
check_c_compiler_flag(-Wall HAVE_WALL)
check_c_compiler_flag(-Wthere-is-no-such-warning HAVE_NONSENSE)
if(NOT HAVE_MEMMEM OR NOT HAVE_WALL OR HAVE_NONSENSE)
  message(FATAL_ERROR "the tests are wrong: ${HAVE_MEMMEM} ${HAVE_WALL} ${HAVE_NONSENSE}")
endif()
add_library(a STATIC a.c b.c)
add_library(w SHARED w.cc)
add_executable(tool tool.c)
target_link_libraries(tool a)
add_executable(h h.c)
target_link_libraries(h a w)
add_executable(hpp h2.cc)
target_link_libraries(hpp a)
`,
	"w.cc":  "extern \"C\" int w(int x) { try { if (x > 3) throw x; } catch (int) { return 1; } return 0; }\n",
	"h2.cc": "#include <string>\nextern \"C\" {\n#include \"a.h\"\nint LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) {\n  std::string s(d, d + n);\n  return a_check(s.data(), s.size()) > 100;\n}\n}\n",
	"configure.ac": `AC_INIT([small], [1])
AC_PROG_CC
AC_PROG_CXX
AC_PROG_RANLIB
AC_CHECK_HEADERS([stdint.h])
AC_CHECK_FUNCS([memmem there_is_no_such_function])
AC_CHECK_SIZEOF([long])
AC_C_BIGENDIAN
test "$ac_cv_func_memmem $ac_cv_func_there_is_no_such_function $ac_cv_sizeof_long $ac_cv_c_bigendian" = "yes no 8 no" || AC_MSG_ERROR([the tests are wrong])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
`,
	"Makefile.in": `CC = @CC@
CFLAGS = @CFLAGS@
RANLIB = @RANLIB@
all: h tool
h: h.o liba.a
	$(CC) $(CFLAGS) -o $@ h.o liba.a
tool: tool.o liba.a
	$(CC) $(CFLAGS) -o $@ tool.o liba.a
liba.a: a.o b.o
	ar cr $@ a.o b.o
	$(RANLIB) $@
`,
}

func TestCMake(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with CMake several times")
	}
	b := newBox(t)
	need(t, "cmake", "cmake")
	b.write(small)
	b.write(project)
	b.run("ln -s build/h h; ln -s build/hpp hpp")
	for _, setting := range []string{"-DCMAKE_C_COMPILER=parallax-cc -DCMAKE_CXX_COMPILER=parallax-c++", "-DCMAKE_BUILD_TYPE=Release"} {
		b.run("cmake -S . -B build " + setting + " && cmake --build build --parallel 2")
		b.open("h", CmpLog, Sanitize)
		b.open("hpp", CmpLog, Sanitize)
		if out := b.run("build/tool"); out != "4\n" {
			t.Errorf("%s: the tool says %q", setting, out)
		}
	}
}

func TestAutoconf(t *testing.T) {
	if testing.Short() {
		t.Skip("needs autoconf, which make test-all installs")
	}
	b := newBox(t)
	need(t, "autoconf", "autoconf")
	b.write(small)
	b.write(project)
	b.run("autoconf && mkdir build && cd build && cp ../*.c ../*.h . && ../configure CC=parallax-cc CXX=parallax-c++ && make -j2")
	b.open("build/h", CmpLog, Sanitize)
	if out := b.run("build/tool"); out != "4\n" {
		t.Errorf("the tool says %q", out)
	}
}

func need(t *testing.T, tool, debian string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Fatalf("%s is missing: install it, for example with: sudo apt-get install %s", tool, debian)
	}
}
