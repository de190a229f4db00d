package clang

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A kit names compilers and their arguments, which can load plugins and write files. Making
// variants of a program therefore executes the contents of its folder. The user's cache records the
// kits of the user's own links; others need consent.

// kitsDir is the folder of the cache with a file per kit, named by its digest. The file is empty,
// or names the folder that a box could write when a command in it built the program. Files that
// were not used for a month are removed.
const kitsDir = "kits"

const kitUnused = 30 * 24 * time.Hour

func kitMark(digest string) (dir, name string, err error) {
	cache, err := cacheDir()
	if err != nil {
		return "", "", err
	}
	dir = filepath.Join(cache, kitsDir)
	return dir, filepath.Join(dir, filepath.Base(digest)), nil
}

// rememberKit notes that a kit is the user's own, or was made in a box that could write one folder.
func rememberKit(digest, within string) error {
	dir, name, err := kitMark(digest)
	if err != nil {
		return err
	}
	if _, err := os.Stat(name); err != nil {
		removeUnused(dir, time.Now().Add(-kitUnused))
	}
	return replace(name, []byte(within), 0o644)
}

// knownKit reports whether there is a note of a kit, and the folder in it.
func knownKit(digest string) (within string, ok bool) {
	_, name, err := kitMark(digest)
	if err != nil {
		return "", false
	}
	text, err := os.ReadFile(name)
	now := time.Now()
	return string(text), err == nil && os.Chtimes(name, now, now) == nil
}

// untrusted returns the reason why a recipe is not trusted, or "". Objects and archives from others
// may have recipes, and the user has linked them. The compiler must be the link's own or one on
// PATH, and the arguments must not make it execute other files. Recipes of parallax cc have no such
// arguments.
func (r *recipe) untrusted(own string) string {
	if found, err := exec.LookPath(filepath.Base(r.Clang)); r.Clang != own && (err != nil || !sameProgram(found, r.Clang)) {
		return fmt.Sprintf("%s was compiled by %s, which is not on PATH: put its folder there, or compile the source again", r.Source, r.Clang)
	}
	c := parse(r.Args)
	for _, a := range c.args {
		if word := a.words[0]; a.kind != argOption || slices.ContainsFunc(executing, func(prefix string) bool { return strings.HasPrefix(word, prefix) }) {
			return fmt.Sprintf("%s was compiled with %s, which could execute anything: compile it again", r.Source, word)
		}
	}
	if !c.defers() {
		return r.Source + " was compiled with files that take part in compiling: compile it again"
	}
	return ""
}

// executing begin options by which the compiler executes other programs than its own.
var executing = []string{"-B", "--prefix", "-wrapper", "-specs", "--specs", "-fno-integrated-as", "-no-integrated-as", "-fno-integrated-cc1", "-ccc-", "@"}

// sameProgram reports whether two paths are of one file.
func sameProgram(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// Adopt records that the user trusts the author of the program's link, so that its kit may be
// executed.
func (b *Build) Adopt() error { return b.remember("") }

// Confine notes that a command in a box linked the program, which could write a folder. Variants
// are made in a box too, see Making.Box.
func (b *Build) Confine(within string) error { return b.remember(within) }

func (b *Build) remember(within string) error {
	if b.kit == "" {
		return nil
	}
	return rememberKit(b.kit, within)
}
