package clang

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestFolders checks that sources are found for builds in separate folders.
func TestFolders(t *testing.T) {
	b := newBox(t)
	b.write(small)
	for _, dir := range []string{"cmake/build/src", "meson/build", "autoconf/build/lib", "plain", "sub"} {
		b.write(map[string]string{dir + "/any": ""})
	}
	b.write(map[string]string{"cmake/build/CMakeCache.txt": "A:STRING=x\nCMAKE_HOME_DIRECTORY:INTERNAL=/where/sources/are\n", "meson/meson.build": "", "autoconf/configure": ""})
	b.silent("parallax-cc -c a.c b.c && ar rcs cmake/build/src/liba.a a.o b.o")
	b.write(map[string]string{"beside/more.c": "int more;\n"})
	b.silent("parallax-cc h.c beside/more.c -Lmeson/build -L autoconf/build/lib plain/../cmake/build/src/liba.a -o sub/h")
	got := Folders(b.path("sub/h"))
	for i := range got {
		got[i] = filepath.Clean(got[i])
	}
	for _, want := range []string{b.dir, b.path("sub"), "/where/sources/are", b.path("meson"), b.path("autoconf"), b.path("cmake/build/src"), b.path("beside")} {
		if !slices.Contains(got, want) {
			t.Errorf("no %s among %q", want, got)
		}
	}
}
