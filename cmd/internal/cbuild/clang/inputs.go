package clang

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
)

// A linkSet holds the inputs of a link, and their replacements for a variant.
type linkSet struct {
	w     *wrapper
	files map[string]*linkFile // by path; nil means nothing to replace
	plain []string             // files and members of archives without instrumentation
	// shared libraries with instrumentation, which have no variants
	shared       []string
	instrumented bool // at least one object file carries something
	later        bool // at least one carries a recipe
	unread       bool // at least one is for the linker alone: a script, for example
	n            int  // of temporary files
}

// A linkFile is an object file, or an archive of object files.
type linkFile struct {
	path    string
	archive bool
	objects []linkObject
	carries bool
}

type linkObject struct {
	member
	cargo cargo
}

func newLinkSet(w *wrapper) *linkSet { return &linkSet{w: w, files: map[string]*linkFile{}} }

// read reads all inputs.
func (s *linkSet) read() error {
	var failed error
	sources := s.w.command.sources()
	s.walk(func(path string) (string, bool) {
		if failed == nil && !slices.ContainsFunc(sources, func(a argument) bool { return a.value == path }) {
			failed = s.open(path)
		}
		return "", false
	})
	for _, a := range sources {
		if a.sourceKind() == translated {
			s.plain = append(s.plain, a.value)
		}
	}
	return failed
}

func (s *linkSet) open(path string) error {
	if _, ok := s.files[path]; ok {
		return nil
	}
	s.files[path] = nil
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil // clang has linked it, so this is none of ours
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return exit.Infra("%w", err)
	}
	f := &linkFile{path: path}
	members := []member{{filepath.Base(path), data}}
	switch {
	case isArchive(data):
		f.archive = true
		if members, err = readArchive(path, data); err != nil {
			return exit.Infra("reading %s: %w", path, err)
		}
	case elfType(data) == elfShared:
		if e, err := parseELF(data); err == nil && e.find(pointSection) > 0 {
			s.shared = append(s.shared, path)
		} else if err == nil && !ofSystem(path) {
			s.plain = append(s.plain, path)
		}
		return nil
	case elfType(data) != elfRelocatable:
		s.unread = s.unread || !ofSystem(path)
		return nil
	}
	var plain []string
	for _, m := range members {
		c, err := readCargo(m.data)
		if err != nil {
			return exit.Infra("reading what %s(%s) carries: %w", path, m.name, err)
		}
		f.objects = append(f.objects, linkObject{m, c})
		f.carries = f.carries || c.instrumented
		s.later = s.later || len(c.recipes) > 0
		if !c.instrumented && !c.counted {
			name := path
			if f.archive {
				name = fmt.Sprintf("%s(%s)", path, filepath.Base(m.name))
			}
			plain = append(plain, name)
		}
	}
	if len(plain) == len(members) && f.archive {
		plain = []string{path}
	}
	s.plain = append(s.plain, plain...)
	s.instrumented = s.instrumented || f.carries
	s.files[path] = f
	return nil
}

// ofSystem reports whether a library came with the system, so that it needs no instrumentation.
func ofSystem(path string) bool {
	abs, err := filepath.Abs(path)
	for _, dir := range []string{"/usr/", "/lib/", "/lib64/"} {
		if err == nil && strings.HasPrefix(abs, dir) {
			return true
		}
	}
	return false
}

// plainArgs compile one source as the fast variant does.
func (w *wrapper) plainArgs(s argument, object string) []string {
	var args []string
	if s.sourceKind() == compiled {
		args = append(append(Fast.compileFlags(), relativeFileMacro()...), "-idirafter", w.library.include)
	}
	args = append(append(args, compileOnly(w.command.args)...), "-w", "-Qunused-arguments", "-c", "-o", object)
	if s.language != "" {
		args = append(args, "-x", s.language)
	}
	return append(args, s.value)
}

// lacks returns the reason why a variant cannot be linked, or "". The sanitize variant can omit
// some of its objects, whose counters are the same in the fast variant. In the operands variant,
// counters would get other numbers.
func (s *linkSet) lacks(v Variant, b *batch) string {
	has, reason := 0, ""
	note := func(name, why string) {
		if why == "" {
			why = "it was compiled without (PARALLAX_BUILDS)"
		}
		if reason == "" {
			reason = name + ": " + why
		}
	}
	for _, source := range b.sources {
		if _, ok := b.built[source.value][v]; ok {
			has++
		} else {
			note(source.value, b.missing[source.value][v])
		}
	}
	for _, path := range s.paths() {
		f := s.files[path]
		for _, o := range f.objects {
			switch {
			case len(o.cargo.objects[v]) > 0 && o.cargo.missing[v] == "":
				has++
			case o.cargo.instrumented:
				note(f.name(o), o.cargo.missing[v])
			}
		}
	}
	if v == Sanitize && has > 0 {
		return ""
	}
	return reason
}

func (f *linkFile) name(o linkObject) string {
	if f.archive {
		return fmt.Sprintf("%s(%s)", f.path, filepath.Base(o.member.name))
	}
	return f.path
}

// joins reports whether the linker's joined sections hold all that these files carry: each variant
// is carried by all files, or by none.
func (s *linkSet) joins() bool {
	if s.unread || len(s.plain) > 0 || len(s.shared) > 0 {
		return false
	}
	for _, a := range s.w.command.args {
		if a.kind == argLibrary || a.kind == argLinker && slices.ContainsFunc(a.linkerWords(), func(word string) bool {
			option, _, _ := linkerOption(word)
			return option == "l"
		}) {
			return false // it may come from a place that is not searched for instrumented files
		}
	}
	for _, v := range Variants[1:] {
		has, lacks := false, false
		for _, f := range s.files {
			if f == nil {
				continue
			}
			for _, o := range f.objects {
				if len(o.cargo.objects[v]) > 0 && o.cargo.missing[v] == "" {
					has = true
				} else {
					lacks = true
				}
			}
		}
		if has && lacks {
			return false
		}
	}
	return true
}

// fileOptions holds the linker's options that name a file to read.
var fileOptions = wordSet(`T script dT default-script version-script dynamic-list export-dynamic-symbol-list retain-symbols-file just-symbols
	symbol-ordering-file section-ordering-file call-graph-ordering-file plugin plugin-opt load-pass-plugin in-implib`)

// reads reports whether the linker reads files that no kit holds: scripts and lists of symbols.
// They may change or disappear later.
func (s *linkSet) reads() bool {
	return s.unread || slices.ContainsFunc(s.w.command.args, func(a argument) bool {
		switch a.kind {
		case argOption:
			return readsFile(a.words[0])
		case argLinker:
			return slices.ContainsFunc(a.linkerWords(), readsFile)
		}
		return false
	})
}

// readsFile reports whether a word for the linker is such an option.
func readsFile(word string) bool {
	if !strings.HasPrefix(word, "-") {
		return false
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(word[1:], "-"), "=")
	if fileOptions[name] {
		return true
	}
	if joined, ok := strings.CutPrefix(word, "-T"); ok { // -Ttext=ADDRESS and others set addresses
		return !slices.ContainsFunc([]string{"text", "data", "bss", "rodata-segment", "ldata-segment"}, func(name string) bool { return strings.HasPrefix(joined, name) })
	}
	return false
}

// paths returns the nonempty files, in the order of the command line.
func (s *linkSet) paths() []string {
	var paths []string
	seen := map[string]bool{}
	s.walk(func(path string) (string, bool) {
		if s.files[path] != nil && !seen[path] {
			seen[path] = true
			paths = append(paths, path)
		}
		return "", false
	})
	return paths
}

func (s *linkSet) temp(v Variant, base string) string {
	s.n++
	return filepath.Join(s.w.temp, fmt.Sprintf("%s-%d-%s", v, s.n, base))
}

// strays returns files with variants that the linker has linked unchanged, according to its trace:
// for example from a linker script.
func (s *linkSet) strays(trace string) (found []string, err error) {
	for line := range strings.Lines(trace) {
		path := strings.TrimSpace(line)
		if archive, member, ok := strings.Cut(strings.TrimPrefix(path, "("), ")"); ok && strings.HasPrefix(path, "(") && member != "" {
			path = archive
		} else if i := strings.LastIndex(path, "("); i > 0 && strings.HasSuffix(path, ")") {
			path = path[:i]
		}
		if !filepath.IsAbs(path) && s.w.dir != "" {
			path = filepath.Join(s.w.dir, path)
		}
		if filepath.Dir(path) == s.w.temp || slices.Contains(found, path) {
			continue
		}
		if err := s.open(path); err != nil {
			return nil, err
		}
		if f := s.files[path]; f != nil && f.carries {
			found = append(found, path)
		}
	}
	return found, nil
}

// walk returns the arguments of the link in order. replaced maps each file to its replacement.
// Outputs that only the program's link should write are left out.
func (s *linkSet) walk(replaced func(path string) (string, bool)) []string {
	w := &linkWalk{replaced: replaced}
	var words []string // for the linker: -Xlinker -L -Xlinker DIR are two
	for _, a := range s.w.command.args {
		switch a.kind {
		case argFolder:
			w.folders = append(w.folders, a.value)
		case argLinker:
			words = append(words, a.linkerWords()...)
		}
	}
	w.folders = append(w.folders, linkerFolders(words)...)
	w.folders = append(append(w.folders, filepath.SplitList(os.Getenv("LIBRARY_PATH"))...), "/usr/local/lib")
	w.static = s.w.command.static
	for _, a := range s.w.command.args {
		w.argument(a)
	}
	return w.out
}
