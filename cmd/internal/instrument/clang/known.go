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

// A kit names compilers and their arguments, which can load plugins and write files: whoever makes variants of a program executes what is
// beside it. Therefore the user's cache knows the kits of the user's own links, and others need consent.

// kitsDir is the folder of the cache with a file for each kit, by its digest: an empty one or, for a program that a command built in a box, one with
// the folder that this box could write. Files that were not used for a month are removed.
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

// strange says why a recipe is not carried out, "" if it is. Objects and archives of others bring recipes along, and the user has linked
// them: the compiler has to be the link's own or one on PATH, and its arguments none that have it execute other files. Recipes of
// parallax cc have none of these.
func (r *recipe) strange(own string) string {
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

// Adopt notes that the user trusts who linked the program: its variants are made as the kit beside it says.
func (b *Build) Adopt() error { return b.remember("") }

// Confine notes that a command in a box linked the program, which could write a folder. Variants are made in a box too, see Making.Box.
func (b *Build) Confine(within string) error { return b.remember(within) }

func (b *Build) remember(within string) error {
	if b.kit == "" {
		return nil
	}
	return rememberKit(b.kit, within)
}
