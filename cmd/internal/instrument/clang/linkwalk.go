package clang

import (
	"os"
	"path/filepath"
	"strings"
)

// A linkWalk follows the state of the linker through its arguments.
type linkWalk struct {
	set      *linkSet
	replaced func(path string) (string, bool)
	folders  []string // where -l looks before the system's folders
	static   bool     // -l takes archives only
	pushed   []bool
	skip     bool // the next word belongs to an option that is left out
	rpath    bool // the next word is a path for the loader
	out      []string
}

func (w *linkWalk) argument(a argument) {
	switch a.kind {
	case argOutput, argLanguage, argStage, argDepends:
	case argInput:
		if path, ok := w.replaced(a.value); ok {
			w.out = append(w.out, path)
		} else {
			w.out = append(w.out, a.words...)
		}
	case argLibrary:
		if path, ok := w.library(a.value); ok {
			w.out = append(w.out, path)
		} else {
			w.out = append(w.out, a.words...)
		}
	case argLinker:
		words := []string{a.value}
		if a.words[0] != "-Xlinker" && a.words[0] != "--for-linker" {
			words = strings.Split(a.value, ",")
		}
		for _, word := range words {
			w.word(word)
		}
	case argOption, argFolder:
		switch a.words[0] {
		case "-v", "--verbose":
		case "-rpath":
			w.out = append(w.out, "-rpath", deeper(a.value))
		default:
			w.out = append(w.out, a.words...)
		}
	}
}

// word is one word for the linker itself.
func (w *linkWalk) word(word string) {
	if w.skip {
		w.skip = false
		return
	}
	if w.rpath {
		w.rpath = false
		word = deeper(word)
	}
	name, value, joined := strings.Cut(word, "=")
	switch strings.TrimPrefix(name, "-") {
	case "-Map", "Map", "-dependency-file", "dependency-file", "-out-implib":
		w.skip = !joined
		return
	case "-Bstatic", "Bstatic", "dn", "non_shared", "static", "-static":
		w.static = true
	case "-Bdynamic", "Bdynamic", "dy", "call_shared":
		w.static = false
	case "-push-state", "push-state":
		w.pushed = append(w.pushed, w.static)
	case "-pop-state", "pop-state":
		if n := len(w.pushed); n > 0 {
			w.static, w.pushed = w.pushed[n-1], w.pushed[:n-1]
		}
	case "-rpath", "rpath", "R":
		if joined {
			word = name + "=" + deeper(value)
		} else {
			w.rpath = true
		}
	}
	if lib, ok := strings.CutPrefix(word, "-l"); ok && lib != "" {
		if path, ok := w.library(lib); ok {
			word = path
		}
	} else if !strings.HasPrefix(word, "-") {
		if path, ok := w.replaced(word); ok {
			word = path
		}
	}
	w.out = append(w.out, "-Xlinker", word)
}

// deeper makes a path for the loader that is relative to the program right for its variants, which lie one folder deeper.
func deeper(path string) string {
	return strings.NewReplacer("${ORIGIN}", "${ORIGIN}/..", "$ORIGIN", "$ORIGIN/..").Replace(path)
}

// library finds the archive that -lNAME means and gives what takes its place. Shared libraries are linked as they are, and what
// is found in the system's own folders is not instrumented.
func (w *linkWalk) library(name string) (string, bool) {
	names := []string{"lib" + name + ".so", "lib" + name + ".a"}
	if exact, ok := strings.CutPrefix(name, ":"); ok {
		names = []string{exact}
	} else if w.static {
		names = names[1:]
	}
	for _, dir := range w.folders {
		for _, n := range names {
			path := filepath.Join(dir, n)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return w.replaced(path)
			}
		}
	}
	return "", false
}
