package reproducer

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/base/shell"
)

// Files and commands that a script needs and does not contain. A finding's folder may be copied
// anywhere. The programs stay where they are, unless PROJECT names another copy of the
// configuration's folder.

// input returns the name of the input's file.
func (w *Writer) input() string {
	if w.f.Made {
		return "generated"
	}
	return "minimized"
}

// Needs lists the files, commands and functions that a program of a script uses.
type Needs struct {
	Dir       string   // in which it runs; empty means a folder of its own
	Command   []string // that runs it: the script checks files among its words
	Folders   []string // from which it is built
	Functions []string // of sh, which its kind uses
	Port      bool     // it is a service at $port
}

// Needs makes the script check that a program's files and folders exist, and list them in its head.
// A program that lacks one has no verdict.
func (w *Writer) Needs(n Needs) {
	w.dir, w.port, w.functions = n.Dir, w.port || n.Port, append(w.functions, n.Functions...)
	need := func(what, how string) { w.needs[what] = append(w.needs[what], escape.Text(w.Program.Name)+how) }
	there := slices.Clone(n.Folders)
	if n.Dir != "" {
		there = append(there, n.Dir)
		need(n.Dir, " runs in it")
	}
	for _, dir := range n.Folders {
		need(dir, " is built from it")
	}
	for k, word := range n.Command {
		switch {
		case file(word):
			there = append(there, word)
			need(word, "")
		case k == 0 && !strings.Contains(word, "/"):
			need(word+" on PATH", "")
		}
	}
	for _, path := range there {
		w.Printf("there %s\n", w.Word(path))
	}
}

// needed lists, in comments, the files and folders elsewhere that the programs need, and the
// commands on PATH.
func (w *Writer) needed() {
	if len(w.needs) == 0 {
		return
	}
	w.b.WriteString("# The script runs in any copy of its folder. It needs these, which are not in the folder:\n")
	for _, what := range slices.Sorted(maps.Keys(w.needs)) {
		w.Printf("#\t%s: %s\n", escape.Text(what), strings.Join(slices.Compact(w.needs[what]), ", "))
	}
	if w.moves {
		w.Printf("# With PROJECT=FOLDER it takes what is below %s from another folder.\n", escape.Text(w.s.Home))
	}
}

// ownFiles has the script check the files in its folder. The script contains a short input itself.
func (w *Writer) ownFiles() {
	const short = 4096
	data := w.f.Shape.Encode(w.f.Minimized)
	if len(data) <= short {
		w.Printf("[ -e \"$here/%s\" ] || printf '%s' >\"$here/%[1]s\" || exit 2\n", w.input(), octal(data))
	}
	var words []string
	for _, name := range append([]string{w.input()}, slices.Sorted(maps.Keys(w.files))...) {
		words = append(words, shell.Text(name))
	}
	w.Printf("for file in %s; do\n\t[ -r \"$here/$file\" ] || { echo \"there is no $here/$file: copy the whole folder of the finding\" >&2; exit 2; }\ndone\n",
		strings.Join(words, " "))
}

// octal returns data in the escapes of printf in sh.
func octal(data []byte) string {
	var b strings.Builder
	for _, c := range data {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == ' ' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\%03o`, c)
		}
	}
	return b.String()
}

// file reports whether a word of a command is the absolute path of a file (program.Absolute).
func file(word string) bool {
	if !filepath.IsAbs(word) {
		return false
	}
	info, err := os.Stat(word)
	return err == nil && info.Mode().IsRegular()
}

// below reports whether a path is the configuration's folder, or in it.
func (w *Writer) below(path string) bool {
	if home := w.s.Home; home == "" || home == "/" || !filepath.IsAbs(path) {
		return false
	}
	rel, err := filepath.Rel(w.s.Home, path)
	return err == nil && filepath.IsLocal(rel)
}

// separators end a path in a word. A path begins the word, or follows one of them or an option's
// name.
const separators = "=:,;@\"'`()[]{}<>&| \t\n"

// option matches what ends with the name of an option that takes a path, like -L or -isystem.
var option = lazyregexp.New(`(^|[^A-Za-z0-9_/.-])-([A-Zo]|i[a-z]+)$`)

// Word quotes a word like shell.Text. Paths in the configuration's folder are relative to PROJECT,
// also inside the word: -L/home/lib, --data=/home/a:/home/b.
func (w *Writer) Word(s string) string {
	var b strings.Builder
	start, home := 0, strings.TrimRight(w.s.Home, "/")
	for at := 0; home != ""; {
		i := strings.Index(s[at:], home)
		if i < 0 {
			break
		}
		i += at
		at = i + len(home)
		if i > 0 && !strings.ContainsRune(separators, rune(s[i-1])) && !option().MatchString(s[:i]) {
			continue
		}
		if at < len(s) && !strings.ContainsRune("/"+separators, rune(s[at])) {
			continue
		}
		path := s[i:]
		if end := strings.IndexAny(s[at:], separators); end >= 0 {
			path = s[i : at+end]
		}
		if !w.below(path) {
			continue
		}
		if start < i {
			b.WriteString(shell.Text(s[start:i]))
		}
		b.WriteString(`"$project"`)
		start, w.moves = at, true
	}
	if start < len(s) || start == 0 {
		b.WriteString(shell.Text(s[start:]))
	}
	return b.String()
}
