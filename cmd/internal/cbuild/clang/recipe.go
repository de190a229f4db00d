package clang

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A recipe holds what is needed to compile a source to the objects of its variants later: the
// preprocessed source and the relevant options. If a macro depends on sanitizers, it has one
// preprocessed source per variant. Later compilations need nothing else from the build: generated
// sources and headers may be gone.
type recipe struct {
	recipeHead
	text [][]byte
}

type recipeHead struct {
	Version  int             `json:"version"`
	Source   string          `json:"source"` // as it was named
	Compiler string          `json:"compiler"`
	Clang    string          `json:"clang"`
	Release  string          `json:"release"` // of clang
	Dir      string          `json:"dir"`
	Language string          `json:"language"` // that -x takes
	Args     []string        `json:"args"`
	Texts    map[Variant]int `json:"texts"`
	Sizes    []int           `json:"sizes"`
}

const recipeVersion = 1

// sourceSection holds the recipes of an object file, packed like objects.
const sourceSection = ".parallax.source"

// A ticket replaces a variant's object, and names the recipe that makes it.
const ticketMagic = "plxticket1 "

func ticket(recipe []byte) []byte { return []byte(ticketMagic + digestOf(recipe)) }

// ticketOf returns the digest of the recipe that a ticket names.
func ticketOf(object []byte) (digest string, ok bool) {
	rest, ok := bytes.CutPrefix(object, []byte(ticketMagic))
	return string(rest), ok
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// encode makes a recipe's text: its head as JSON behind its length, then the sources, compressed as
// one.
func (r *recipe) encode() ([]byte, error) {
	r.Version, r.Sizes = recipeVersion, nil
	for _, t := range r.text {
		r.Sizes = append(r.Sizes, len(t))
	}
	head, err := json.Marshal(&r.recipeHead)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	_ = binary.Write(&out, binary.LittleEndian, uint64(len(head)))
	out.Write(head)
	if err := deflate(&out, r.text...); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func decodeRecipe(data []byte) (*recipe, error) {
	if len(data) < 8 {
		return nil, errPacked
	}
	n := binary.LittleEndian.Uint64(data)
	if data = data[8:]; n > uint64(len(data)) {
		return nil, errPacked
	}
	r := &recipe{}
	if err := json.Unmarshal(data[:n], &r.recipeHead); err != nil || r.Version != recipeVersion {
		return nil, errPacked
	}
	text, err := inflate(data[n:])
	if err != nil {
		return nil, errPacked
	}
	for _, size := range r.Sizes {
		if size < 0 || size > len(text) {
			return nil, errPacked
		}
		r.text, text = append(r.text, text[:size]), text[size:]
	}
	for _, i := range r.Texts {
		if i < 0 || i >= len(r.text) {
			return nil, errPacked
		}
	}
	return r, nil
}

func deflate(out io.Writer, parts ...[]byte) error {
	z, err := flate.NewWriter(out, flate.BestSpeed)
	for _, p := range parts {
		if err == nil {
			_, err = z.Write(p)
		}
	}
	if err == nil {
		err = z.Close()
	}
	return err
}

func inflate(data []byte) ([]byte, error) { return io.ReadAll(flate.NewReader(bytes.NewReader(data))) }

// preprocess makes the recipe of a source for the wanted variants, or returns the reason why there
// is none. It preprocesses once per variant, since a source may test for sanitizers, and
// _FORTIFY_SOURCE does not apply to them.
func (w *wrapper) preprocess(ctx context.Context, s argument, want []Variant) (data []byte, why string, err error) {
	language, text := s.cppOutput(w.compiler)
	if language == "" {
		return nil, "this kind of source is compiled at once", nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, "", err
	}
	r := &recipe{recipeHead: recipeHead{Source: s.value, Compiler: w.compiler, Clang: w.clang, Release: w.library.clang, Dir: dir,
		Language: language, Args: withoutPreprocessor(w.command.args), Texts: map[Variant]int{}}}
	for _, v := range want {
		one, why, err := w.preprocessed(ctx, s, v, text)
		if err != nil || why != "" {
			return nil, why, err
		}
		if bytes.Contains(one, []byte(".incbin")) || bytes.Contains(one, []byte(".include")) {
			return nil, "its assembler reads other files", nil
		}
		at := slices.IndexFunc(r.text, func(t []byte) bool { return bytes.Equal(t, one) })
		if at < 0 {
			at, r.text = len(r.text), append(r.text, one)
		}
		r.Texts[v] = at
	}
	data, err = r.encode()
	return data, "", err
}

// preprocessed returns a source as the compiler proper sees it. text means that the source is
// preprocessed already.
func (w *wrapper) preprocessed(ctx context.Context, s argument, v Variant, text bool) (data []byte, why string, err error) {
	if text {
		if s.value == "-" {
			return w.stdin, "", nil
		}
		data, err = os.ReadFile(s.value)
		return data, "", err
	}
	f, err := os.CreateTemp(w.temp, "text")
	if err != nil {
		return nil, "", err
	}
	f.Close()
	defer os.Remove(f.Name())
	args := w.variantArgs(s, v, f.Name())
	args[slices.Index(args, "-c")] = "-E"
	if why, err = w.quietly(ctx, args); err == nil && why == "" {
		data, err = os.ReadFile(f.Name())
	}
	return data, why, err
}

// cppOutput returns the language of a source after preprocessing, or "" if it cannot be compiled
// later. text reports whether it is preprocessed already.
func (a argument) cppOutput(compiler string) (language string, text bool) {
	language = a.language
	if language == "" {
		switch filepath.Ext(a.value) {
		case ".c":
			language = "c"
		case ".i":
			language = "cpp-output"
		case ".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".CC", ".CPP", ".CXX", ".C++":
			language = "c++"
		case ".ii":
			language = "c++-cpp-output"
		}
		if compiler == "c++" { // as clang++ takes them
			switch language {
			case "c":
				language = "c++"
			case "cpp-output":
				language = "c++-cpp-output"
			}
		}
	}
	switch language {
	case "c":
		return "cpp-output", false
	case "c++":
		return "c++-cpp-output", false
	case "cpp-output", "c++-cpp-output":
		return language, true
	}
	return "", false
}

// reading holds options by which the compiler proper reads other files. Sources are then compiled
// at once.
var reading = []string{"-fprofile-use", "-fprofile-instr-use", "-fprofile-sample-use", "-fauto-profile", "-fprofile-list", "-fprofile-remapping-file", "-fmemory-profile-use",
	"-fsanitize-ignorelist", "-fsanitize-blacklist", "-fsanitize-system-ignorelist", "-fxray-", "-fplugin", "-fpass-plugin", "-load", "-fmodule", "-fcxx-modules",
	"-fprebuilt-module", "-fbuiltin-module", "-ivfsoverlay", "--config", "--coverage", "-coverage", "-fprofile-arcs", "-ftest-coverage", "-fcs-profile",
	"-fthinlto-index", "-fcoverage-mapping"}

// defers reports whether sources of the command can be compiled later.
func (c *command) defers() bool {
	return !slices.ContainsFunc(c.args, func(a argument) bool {
		word := a.words[0]
		if word == "-Xclang" {
			word = a.value
		}
		return a.kind == argOption && slices.ContainsFunc(reading, func(prefix string) bool { return strings.HasPrefix(word, prefix) })
	})
}

var preprocessing = wordSet(`-D -U -I -include -imacros -isystem -iquote -idirafter -iprefix -iwithprefix -iwithprefixbefore -isystem-after
	-cxx-isystem -stdlib++-isystem -Xpreprocessor --include-directory --include --define-macro --undefine-macro --imacros`)

// withoutPreprocessor returns the words of the options that affect a preprocessed source.
func withoutPreprocessor(args []argument) []string {
	var keep []argument
	for i := 0; i < len(args); i++ {
		a := args[i]
		word := a.words[0]
		switch {
		case a.kind != argOption:
			continue
		case preprocessing[word], strings.HasPrefix(word, "-D"), strings.HasPrefix(word, "-U"), strings.HasPrefix(word, "-I"), strings.HasPrefix(word, "-Wp,"):
			continue
		case word == "-Xclang" && preprocessing[a.value]:
			i++
			continue
		}
		keep = append(keep, a)
	}
	return compileOnly(keep)
}

// compile returns the arguments that compile a preprocessed source to a variant's object.
func (r *recipe) compile(v Variant, text, object string) []string {
	args := append(v.compileFlags(), "-fdebug-compilation-dir="+r.Dir)
	// the object records the same source as an immediate compilation
	if base := r.base(); base == filepath.Base(r.Source) {
		dir := strings.TrimSuffix(r.Source, base)
		args = append(args, "-fdebug-prefix-map="+filepath.Dir(text)+"/="+dir, "-Xclang", "-main-file-name", "-Xclang", base)
	}
	return append(append(args, r.Args...), "-w", "-Qunused-arguments", "-c", "-o", object, "-x", r.Language, text)
}

// base returns the name of the source without its folder. Names of functions contain it, and
// linkers show it.
func (r *recipe) base() string {
	switch base := filepath.Base(r.Source); base {
	case "-", ".", "..", "/", "object.o":
		return "source"
	default:
		return base
	}
}

// source returns the preprocessed source of a variant. The fast variant has the same macros as the
// cmplog build.
func (r *recipe) source(v Variant) ([]byte, error) {
	i, ok := r.Texts[v]
	if !ok && v == Fast {
		if i, ok = r.Texts[CmpLog]; !ok {
			i, ok = r.Texts[Sanitize]
		}
	}
	if !ok {
		return nil, fmt.Errorf("%s was compiled without it (PARALLAX_BUILDS)", r.Source)
	}
	return r.text[i], nil
}
