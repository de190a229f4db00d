package clang

import (
	"os"
	"path/filepath"
	"strings"
)

// A linkWalk tracks the linker's state through its arguments.
type linkWalk struct {
	replaced func(path string) (string, bool)
	folders  []string // search folders of -l before the system's folders
	static   bool     // -l takes archives only
	pushed   []bool
	next     string // linker option whose value is the next word; "skip" for an omitted one
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
		for _, word := range a.linkerWords() {
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

// linkerWords returns the words for the linker in an option of the compiler. It expands response
// files.
func (a argument) linkerWords() []string {
	words := []string{a.value}
	if a.words[0] != "-Xlinker" && !strings.HasPrefix(a.words[0], "--for-linker") {
		words = strings.Split(a.value, ",")
	}
	return expand(words)
}

// linkerOption parses an option of the linker that names a library or its folder. It returns "L" or
// "l", and the value, which is in the next word if ok is false.
func linkerOption(word string) (option, value string, ok bool) {
	long, value, joined := strings.Cut(word, "=")
	switch {
	case long == "--library-path":
		return "L", value, joined
	case long == "--library":
		return "l", value, joined
	case strings.HasPrefix(word, "-L"):
		return "L", word[2:], len(word) > 2
	case strings.HasPrefix(word, "-l"):
		return "l", word[2:], len(word) > 2
	}
	return "", "", true
}

// linkerFolders returns the search folders in words for the linker.
func linkerFolders(words []string) (folders []string) {
	for i, word := range words {
		option, value, ok := linkerOption(word)
		if !ok && i+1 < len(words) {
			value = words[i+1]
		}
		if option == "L" && value != "" {
			folders = append(folders, value)
		}
	}
	return folders
}

func (w *linkWalk) toLinker(word string) { w.out = append(w.out, "-Xlinker", word) }

// word processes one word for the linker.
func (w *linkWalk) word(word string) {
	next := w.next
	w.next = ""
	switch next {
	case "skip":
		return
	case "rpath":
		w.toLinker(deeper(word))
		return
	case "l":
		w.named(word)
		return
	case "L":
		w.toLinker(word)
		return
	}
	name, value, joined := strings.Cut(word, "=")
	switch strings.TrimPrefix(name, "-") {
	case "-Map", "Map", "-dependency-file", "dependency-file", "-out-implib":
		if !joined {
			w.next = "skip"
		}
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
			w.next = "rpath"
		}
	}
	switch option, value, ok := linkerOption(word); {
	case option == "l" && ok:
		w.named(value)
		return
	case option == "l":
		w.next = "l"
		return
	case option == "L" && !ok:
		w.next = "L"
	case !strings.HasPrefix(word, "-"):
		if path, ok := w.replaced(word); ok {
			word = path
		}
	}
	w.toLinker(word)
}

// named processes a library that the linker itself is given.
func (w *linkWalk) named(lib string) {
	if path, ok := w.library(lib); ok {
		w.toLinker(path)
	} else {
		w.toLinker("-l" + lib)
	}
}

// deeper makes a path for the loader that is relative to the program right for its variants, which
// lie one folder deeper.
func deeper(path string) string {
	return strings.NewReplacer("${ORIGIN}", "${ORIGIN}/..", "$ORIGIN", "$ORIGIN/..").Replace(path)
}

// library finds the archive of -lNAME and returns its replacement. Shared libraries are linked
// unchanged, and libraries in the system's folders are not instrumented.
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
