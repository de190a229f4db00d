package nativebuild

import (
	"os/exec"
	"path/filepath"
	"testing"

	"parallax/cmd/internal/cbuild/clang"
)

// TestSystems checks the builds of docs/guides/regress-c.md: the harness counts the blocks of its
// library, and their sources are found.
func TestSystems(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with three build systems")
	}
	for _, c := range []struct {
		name, binary string
		needs        string
		files        []string
		command      []string
	}{
		{name: "the compiler alone", binary: "fuzz_x", command: []string{"cc", "-g", "-O1", "fuzz.c", "lib.c", "-o", "fuzz_x"}},
		{name: "a script", binary: "out/fuzz_x", command: []string{"./build.sh"},
			files: []string{"build.sh", "#!/bin/sh\nset -e\nmkdir out\nclang -g -c lib.c -o \"$TMPDIR/lib.o\"\nar rcs out/lib.a \"$TMPDIR/lib.o\"\n$CC -g fuzz.c out/lib.a -o out/fuzz_x\n"}},
		{name: "a script with a shell", binary: "fuzz_x", command: []string{"sh", "-c", "make -C . CFLAGS=-O2 && echo done"}},
		{name: "C++", binary: "fuzz_x", command: []string{"sh", "-c", "g++ -g -O1 -x c++ fuzz.cc -o fuzz_x"},
			files: []string{"fuzz.cc", "extern \"C\" {\n#include \"fuzz.c\"\n#include \"lib.c\"\n}\n"}},
		{name: "CMake", binary: "out/fuzz_x", needs: "cmake", command: []string{"sh", "-c", "cmake -S . -B out -DBUILD_SHARED_LIBS=OFF && cmake --build out -j2 --target fuzz_x"},
			files: []string{"CMakeLists.txt", "cmake_minimum_required(VERSION 3.5)\nproject(x C)\nadd_library(lib lib.c)\nadd_executable(fuzz_x fuzz.c)\ntarget_link_libraries(fuzz_x lib)\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := exec.LookPath(c.needs); c.needs != "" && err != nil {
				t.Skip(err)
			}
			r, _ := request(t, project(t, c.files...))
			r.Old, r.Command, r.Binary = nil, c.command, c.binary
			p, err := Build(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			table, err := clang.ReadTable(p.New.Binary)
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, f := range table.Files {
				found = found || f.Path == filepath.Join(p.New.Root, "lib.c")
			}
			if !found {
				t.Errorf("the table is of %v", table.Files)
			}
		})
	}
}
