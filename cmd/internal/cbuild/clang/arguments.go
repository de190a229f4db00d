package clang

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A kind is the role of an argument, as far as the wrapper must know it.
type kind uint8

const (
	argOption   kind = iota // anything that every run of clang gets
	argInput                // a file
	argLibrary              // -lNAME
	argFolder               // -LDIR: a search folder for libraries
	argOutput               // -o FILE
	argLanguage             // -x LANGUAGE
	argStage                // -c and others that stop early
	// -MD and other options that write rules for make, and other files next to the object
	argDepends
	argLinker // words for the linker: -Wl,A,B and -Xlinker A
)

// An argument is one option or input of the command line.
type argument struct {
	kind     kind
	words    []string // one word, or two if the value is a separate word
	value    string   // of an option with one
	language string   // of an input: the value of -x, or empty to use the file's extension
}

// A command is a parsed command line of the compiler.
type command struct {
	args    []argument
	output  string // empty if not given
	stage   string // the last of the options that stop early, "" for a link
	shared  bool   // the link makes a shared library
	partial bool   // ... an object file (-r)
	static  bool   // ... a program without shared libraries
	foreign string // the option that asks for another kind of machine

	harness   bool // -fsanitize=fuzzer: LLVMFuzzerTestOneInput is called
	sanitized bool // by the user's own options
	// the user's sanitizer that excludes AddressSanitizer, or is AddressSanitizer
	sanitizer string
	removed   []string // options that were taken out and that the user should know of
}

// separate holds options whose value is the next word, as clang parses them. A wrong entry would
// make an option of an input.
var separate = wordSet(`-o -x -I -L -l -D -U -T -u -e -z -B -F -G -A -include -imacros -isystem -iquote -idirafter -iprefix
	-iwithprefix -iwithprefixbefore -isysroot -iframework -iframeworkwithsysroot -isystem-after -cxx-isystem -stdlib++-isystem -ivfsoverlay -include-pch
	-imultilib --sysroot -MF -MT -MQ -MJ -Xclang -Xlinker -Xassembler -Xpreprocessor -Xanalyzer -Xopenmp-target -target
	-Tbss -Tdata -Ttext -arch -mllvm -mthread-model --param -specs --specs -rpath -framework -undefined -current_version
	-compatibility_version -install_name -working-directory -serialize-diagnostics --serialize-diagnostics -dependency-file
	--config -exported_symbols_list -weak_library -resource-dir
	--include-directory --include --define-macro --undefine-macro --library-directory --output --language --for-linker
	--imacros --prefix --entry --library`)

var stages = wordSet(`-c -S -E -M -MM -fsyntax-only --analyze -emit-ast --precompile --preprocess --assemble --compile -emit-interface-stubs
	-rewrite-objc -verify-pch -fmodule-header`)

// questions holds options that the compiler answers without compiling.
var questions = wordSet(`--version -version -dumpversion -dumpfullversion -dumpmachine -dumpspecs -### --help -help --help-hidden
	--autocomplete -print-search-dirs -V -Q`)

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		set[w] = true
	}
	return set
}

// spelling maps long options to the short ones that the wrapper uses.
var spelling = map[string]string{"--output": "-o", "--language": "-x", "--library-directory": "-L", "--library": "-l", "--for-linker": "-Xlinker",
	"--compile": "-c", "--assemble": "-S", "--preprocess": "-E", "--shared": "-shared", "--static": "-static"}

// parse reads a command line whose response files have been expanded.
func parse(args []string) *command {
	c := &command{}
	current := ""
	for i := 0; i < len(args); i++ {
		word := args[i]
		if word == "-" || !strings.HasPrefix(word, "-") {
			c.args = append(c.args, argument{kind: argInput, words: []string{word}, value: word, language: current})
			continue
		}
		a := argument{words: []string{word}}
		name := word
		if separate[word] && i+1 < len(args) {
			i++
			a.value = args[i]
			a.words = append(a.words, a.value)
		} else {
			name, a.value = joined(word)
		}
		if short, ok := spelling[name]; ok {
			name = short
		}
		if c.option(name, &a) {
			if a.kind == argLanguage {
				if current = a.value; current == "none" {
					current = ""
				}
			}
			c.args = append(c.args, a)
		}
	}
	return c
}

// joined splits options whose value may follow without a space.
func joined(word string) (name, value string) {
	for _, prefix := range []string{"-o", "-x", "-l", "-L"} {
		if v, ok := strings.CutPrefix(word, prefix); ok && v != "" {
			if !strings.HasPrefix(word, "-obj") { // clang's own -objcmt-... and others
				return prefix, v
			}
		}
	}
	if i := strings.IndexAny(word, "=,"); i > 0 { // -Wl,-rpath=x is -Wl
		return word[:i], word[i+1:]
	}
	return word, ""
}

// option records the meaning of an option. It reports false to remove the option from the command
// line.
func (c *command) option(name string, a *argument) bool {
	switch name {
	case "-o":
		a.kind, c.output = argOutput, a.value
	case "-x":
		a.kind = argLanguage
	case "-l":
		a.kind = argLibrary
	case "-L":
		a.kind = argFolder
	case "-Wl", "-Xlinker":
		a.kind = argLinker
		if name == "-Wl" && (a.value == "-r" || a.value == "--relocatable") {
			c.partial = true
		}
	case "-shared", "-dynamiclib":
		c.shared = true
	case "-r":
		c.partial = true
	case "-static", "-static-pie":
		c.static = true
	case "-m32", "-mx32", "-m16":
		c.foreign = a.words[0]
	case "-target", "--target":
		if !native(a.value) {
			c.foreign = strings.Join(a.words, " ")
		}
	case "-MD", "-MMD", "-MF", "-MT", "-MQ", "-MP", "-MG", "-MV", "-MJ", "-save-temps", "--save-temps", "-gsplit-dwarf", "-ftime-trace",
		"-fstack-usage", "-serialize-diagnostics", "--serialize-diagnostics", "-fsave-optimization-record", "-foptimization-record-file",
		"-dependency-file", "-ftest-coverage", "-fproc-stat-report":
		a.kind = argDepends
	case "-fsanitize":
		return c.sanitize(a)
	case "-fsanitize-coverage", "-fno-sanitize-coverage":
		// Those of parallax take their place.
		return false
	case "-flto", "-ffat-lto-objects", "-fwhole-program-vtables", "-fvirtual-function-elimination", "-fuse-linker-plugin", "-flto-partition":
		if name == "-flto" {
			c.removed = append(c.removed, "-flto")
		}
		return false
	}
	if stages[name] && len(a.words) == 1 {
		a.kind, c.stage = argStage, name
	}
	return true
}

// native reports whether a target's name, such as x86_64-linux-gnu, means programs that run here.
func native(target string) bool {
	arch := map[string]string{"amd64": "x86_64-", "arm64": "aarch64-"}[runtime.GOARCH]
	return arch != "" && strings.HasPrefix(target, arch) && strings.Contains(target, "linux") &&
		!strings.Contains(target, "android") && !strings.HasSuffix(target, "x32")
}

// sanitize takes the fuzzer out of -fsanitize=, because parallax is it, and keeps the rest.
func (c *command) sanitize(a *argument) bool {
	var keep []string
	for _, s := range strings.Split(a.value, ",") {
		switch s {
		case "fuzzer":
			c.harness = true
			continue
		case "fuzzer-no-link":
			continue
		case "safe-stack": // its runtime and that of coverage define the same functions
			c.removed = append(c.removed, "-fsanitize=safe-stack")
			continue
		case "address", "memory", "thread", "hwaddress", "kernel-address", "dataflow", "kcfi", "realtime", "type", "memtag":
			c.sanitizer = s
		}
		keep = append(keep, s)
	}
	if len(keep) == 0 {
		return false
	}
	c.sanitized = true
	a.value = strings.Join(keep, ",")
	a.words = []string{"-fsanitize=" + a.value}
	return true
}

// asks reports whether the command is a question, which clang answers.
func asks(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		return questions[a] || strings.HasPrefix(a, "-print-") || strings.HasPrefix(a, "--print-")
	})
}

// inputs returns the files of the command.
func (c *command) inputs() []argument {
	return slices.DeleteFunc(slices.Clone(c.args), func(a argument) bool { return a.kind != argInput })
}

// sources returns the inputs that are compiled or assembled.
func (c *command) sources() []argument {
	return slices.DeleteFunc(c.inputs(), func(a argument) bool { return a.sourceKind() == notSource })
}

// precompiles reports whether the command makes a precompiled header, with -c or without.
func (c *command) precompiles() bool {
	inputs := c.inputs()
	return len(inputs) > 0 && !slices.ContainsFunc(inputs, func(a argument) bool { return a.sourceKind() != header })
}

// sourceKind is clang's processing of an input.
type sourceKind uint8

const (
	notSource  sourceKind = iota // for the linker
	compiled                     // C or C++: instrumented
	translated                   // assembler, IR and other languages, processed unchanged
	header                       // precompiled
)

var suffixes = map[string]sourceKind{
	".c": compiled, ".i": compiled, ".cc": compiled, ".cp": compiled, ".cpp": compiled, ".cxx": compiled, ".c++": compiled, ".C": compiled,
	".CC": compiled, ".CPP": compiled, ".CXX": compiled, ".C++": compiled, ".ii": compiled, ".ixx": compiled, ".cppm": compiled, ".m": compiled, ".mi": compiled,
	".mm": compiled, ".M": compiled, ".mii": compiled,
	".s": translated, ".S": translated, ".sx": translated, ".asm": translated, ".ll": translated, ".bc": translated, ".cu": translated, ".cl": translated,
	".f": translated, ".F": translated, ".f90": translated, ".F90": translated,
	".h": header, ".hh": header, ".hpp": header, ".hxx": header, ".H": header, ".h++": header, ".hp": header,
}

func (a argument) sourceKind() sourceKind {
	switch a.language {
	case "":
		return suffixes[filepath.Ext(a.value)]
	case "c", "c++", "cpp-output", "c++-cpp-output", "objective-c", "objective-c++", "objective-c-cpp-output",
		"objective-c++-cpp-output", "c++-module":
		return compiled
	case "c-header", "c++-header", "objective-c-header", "objective-c++-header", "c++-user-header", "c++-system-header", "c++-header-unit-header":
		return header
	}
	return translated
}

// argLine returns the command line of the arguments.
func argLine(args []argument) []string {
	var out []string
	for _, a := range args {
		out = append(out, a.words...)
	}
	return out
}
