package confine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/process/quota"
)

// TestWritable checks that programs can write the permitted folders, and no others.
func TestWritable(t *testing.T) {
	withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
		mine, other := t.TempDir(), t.TempDir()
		if err := os.WriteFile(filepath.Join(other, "there"), []byte("as it was"), 0o644); err != nil {
			t.Fatal(err)
		}
		b := openSandbox(t, Options{Plain: plain, Writable: []string{mine}})
		if strings.Contains(strings.Join(b.Notes(), "\n"), "what their user can") {
			t.Skip(b.Notes())
		}
		c := shell(`cd "$1" && mkdir -p a/b && echo 1 > a/one && mv a/one a/b/two && ln -s two a/b/link && (ln a/b/two a/three 2> /dev/null || ln -s b/two a/three) && rm a/b/link && echo 2 >> a/b/two &&
			echo x > /dev/null && echo private > "$TMPDIR/x" && cat a/three "$2/there" || exit 1
		cd /
		for what in 'echo 1 > "$2/new"' 'echo 1 > "$2/there"' 'echo 1 >> "$2/there"' 'rm -f "$2/there"' 'mkdir "$2/folder"' 'ln -s x "$2/link"' 'mv "$1/a/three" "$2/three"' \
			'mv "$2/there" "$1/stolen"' 'ln "$2/there" "$1/linked" && echo 1 > "$1/linked"' 'echo 1 > /tmp/parallax-test-writable' 'mkfifo "$2/pipe"'; do
			(eval "$what") 2> /dev/null && echo "done: $what"
		done
		exit 0`, mine, other)
		c.Env = b.Environ(c.Env)
		r := ran(t, b, c)
		if r.Exit != 0 || r.out != "1\n2\nas it was" {
			t.Errorf("exit %d: %q", r.Exit, r.out)
		}
		if text, err := os.ReadFile(filepath.Join(other, "there")); string(text) != "as it was" {
			t.Errorf("what was there is now %q, %v", text, err)
		}
		if list, err := os.ReadDir(other); err != nil || len(list) != 1 {
			t.Errorf("there are now %v, %v", list, err)
		}
		if text, err := os.ReadFile(filepath.Join(mine, "a", "b", "two")); string(text) != "1\n2\n" {
			t.Errorf("what was to be written is %q, %v", text, err)
		}
		// The limit also holds for the sandbox's next program.
		if r := ran(t, b, shell(`echo 1 > "$1/again"`, other)); r.Exit == 0 {
			t.Error("the second program wrote")
		}
	})
}

// TestReadOnly checks that only the private folder can be written, or there is no sandbox.
func TestReadOnly(t *testing.T) {
	withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
		other := t.TempDir()
		if plain && os.Geteuid() != 0 {
			t.Setenv(quota.Waiver, "1") // TestRefused
		}
		b, err := Open(t.Context(), Options{Tool: tool(), Plain: plain, ReadOnly: true, Dir: t.TempDir()})
		if err != nil {
			if !strings.Contains(err.Error(), "programs are to write nothing but their temporary folder") {
				t.Fatal(err)
			}
			return
		}
		defer b.Close()
		if err := unix.Mkfifo(filepath.Join(other, "pipe"), 0o666); err != nil {
			t.Fatal(err)
		}
		c := shell(`(: <> "$1/pipe") 2> /dev/null && echo "opened a pipe"; echo private > "$TMPDIR/x" && cat "$TMPDIR/x"; for dir in "$1" /tmp /var/tmp /; do (echo 1 > "$dir/parallax-test-read-only") 2> /dev/null && echo "wrote into $dir"; done; exit 0`, other)
		c.Env = b.Environ(c.Env)
		if r := ran(t, b, c); r.Exit != 0 || r.out != "private\n" {
			t.Errorf("exit %d: %q", r.Exit, r.out)
		}
	})
}
