package finding

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/lazyregexp"
)

// Files and commands that a script needs and does not contain. A finding's folder may be copied
// anywhere. The programs stay where they are, unless PROJECT names another copy of the configuration's
// folder.

// input is the name of the input's file.
func (w *ScriptWriter) input() string {
	if w.f.Made {
		return "generated"
	}
	return "minimized"
}

// needed lists, in comments, the files and folders elsewhere that the programs need, and the commands on PATH.
func (w *ScriptWriter) needed() {
	by := map[string][]string{} // programs, by what they need
	need := func(what string, p *ScriptProgram, how string) {
		by[what] = append(by[what], escape.Text(p.Name)+how)
	}
	for i := range w.s.Programs {
		p := &w.s.Programs[i]
		n := p.Runner.Needs()
		if p.Dir != "" {
			need(p.Dir, p, " runs in it")
		}
		for _, dir := range n.Folders {
			need(dir, p, " is built from it")
		}
		for k, word := range n.Command {
			switch {
			case file(word):
				need(word, p, "")
			case k == 0 && !strings.Contains(word, "/"):
				need(word+" on PATH", p, "")
			}
		}
	}
	if len(by) == 0 {
		return
	}
	w.b.WriteString("# The script runs in any copy of its folder. It needs these, which are not in the folder:\n")
	for _, what := range slices.Sorted(maps.Keys(by)) {
		w.Printf("#\t%s: %s\n", escape.Text(what), strings.Join(slices.Compact(by[what]), ", "))
	}
	if w.moves {
		w.Printf("# With PROJECT=FOLDER it takes what is below %s from another folder.\n", escape.Text(w.s.Home))
	}
}

// ownFiles has the script check the files in its folder. The script contains a short input itself.
func (w *ScriptWriter) ownFiles() {
	const short = 4096
	data := w.f.Shape.Encode(w.f.Minimized)
	if len(data) <= short {
		w.Printf("[ -e \"$here/%s\" ] || printf '%s' >\"$here/%[1]s\" || exit 2\n", w.input(), octal(data))
	}
	var words []string
	for _, name := range append([]string{w.input()}, slices.Sorted(maps.Keys(w.files))...) {
		words = append(words, ShellText(name))
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

// checkFiles has the script check that a program's files and folders exist. A program that cannot be run
// has no verdict.
func (w *ScriptWriter) checkFiles(p *ScriptProgram) {
	n := p.Runner.Needs()
	list := slices.Clone(n.Folders)
	if p.Dir != "" {
		list = append(list, p.Dir)
	}
	for _, word := range n.Command {
		if file(word) {
			list = append(list, word)
		}
	}
	for _, path := range list {
		w.Printf("there %s\n", w.Word(path))
	}
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
func (w *ScriptWriter) below(path string) bool {
	if home := w.s.Home; home == "" || home == "/" || !filepath.IsAbs(path) {
		return false
	}
	rel, err := filepath.Rel(w.s.Home, path)
	return err == nil && filepath.IsLocal(rel)
}

// separators end a path in a word. A path begins the word, or follows one of them or an option's name.
const separators = "=:,;@\"'`()[]{}<>&| \t\n"

// option matches what ends with the name of an option that takes a path, like -L or -isystem.
var option = lazyregexp.New(`(^|[^A-Za-z0-9_/.-])-([A-Zo]|i[a-z]+)$`)

// Word quotes a word like ShellText. Paths in the configuration's folder are relative to PROJECT, also
// inside the word: -L/home/lib, --data=/home/a:/home/b.
func (w *ScriptWriter) Word(s string) string {
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
			b.WriteString(ShellText(s[start:i]))
		}
		b.WriteString(`"$project"`)
		start, w.moves = at, true
	}
	if start < len(s) || start == 0 {
		b.WriteString(ShellText(s[start:]))
	}
	return b.String()
}
