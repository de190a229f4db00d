// Package mining finds seeds and dictionary words in existing sources. These are the strings of
// tests, the corpus files of fuzz tests, and the literals of code. It reads Go and, for drivers and
// commands, Python and JavaScript.
//
// Packages gobuild and subject call it for campaigns, and package scaffold for the test of
// `parallax init`. It skips sources that it cannot read. Results are in the order of the source.
package mining

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/gosyntax"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/signature"
	"parallax/internal/input"
)

const (
	maxLiteral = 1024 // bytes of a mined string
	maxNumber  = 1000 // of a mined integer that has no known meaning: large ones may be sizes
)

// Words returns the literals of files, for a dictionary. Those of the packages under test come
// first, since their dependencies may be large, and words beyond the limit are dropped. With an
// error it returns the words that were found before it.
func Words(own, others []string) (words [][]byte, err error) {
	for _, files := range [][]string{own, others} {
		tokens, err := literals(files)
		if err != nil {
			return words, err
		}
		for _, w := range tokens {
			if len(words) < maxWords && !slices.ContainsFunc(words, func(d []byte) bool { return bytes.Equal(d, w) }) {
				words = append(words, w)
			}
		}
	}
	return words, nil
}

// maxWords bounds the automatic dictionary.
const maxWords = 512

// Deal takes seeds from the packages in turn, without duplicates, so that none crowds out the
// others.
func Deal(perPackage [][]corpus.Seed, most int) []corpus.Seed {
	var seeds []corpus.Seed
	taken := map[string]bool{}
	for row := 0; ; row++ {
		any := false
		for _, list := range perPackage {
			if row >= len(list) {
				continue
			}
			any = true
			if s := list[row]; !taken[string(s.Flat)] && len(seeds) < most {
				taken[string(s.Flat)] = true
				seeds = append(seeds, s)
			}
		}
		if !any || len(seeds) == most {
			return seeds
		}
	}
}

// A Text is a string of a test, and its place.
type Text struct {
	Value, At string
	Number    int // the next small integer in the source, or the last one; 0 if there is none
}

// Seeds returns the seeds of one package: the corpus files of its fuzz tests, then the consecutive
// constants of its tests, then their strings. name is that of the package, with its version.
func Seeds(pkg *gocommand.Package, shape input.Shape, name string) []corpus.Seed {
	var seeds []corpus.Seed
	files, _ := filepath.Glob(filepath.Join(pkg.Dir, "testdata", "fuzz", "*", "*"))
	sort.Strings(files)
	for _, file := range files {
		data, err := corpus.ReadFile(file) // which may be a pipe, or have no end
		if err != nil || !strings.HasPrefix(string(data), "go test fuzz v1") {
			continue
		}
		if flat, err := shape.Import(data); err == nil && len(flat) <= 64*maxLiteral {
			seeds = append(seeds, corpus.Seed{Flat: flat, From: "file " + strings.TrimPrefix(file, pkg.Dir+string(filepath.Separator)) + " of " + name})
		}
	}
	var texts []Text
	var together []corpus.Seed
	for _, names := range [][]string{pkg.TestGoFiles, pkg.XTestGoFiles} {
		for _, file := range names {
			path := filepath.Join(pkg.Dir, file)
			texts, together = append(texts, testStrings(path)...), append(together, tuples(shape, path, name)...)
		}
	}
	seeds = append(seeds, together[:min(len(together), maxTuples)]...)
	return append(seeds, Combine(shape, texts, name)...)
}

// Combine makes inputs of strings in the order of the tests' source. If an input has several
// strings, it takes neighbors, which often belong together in tables of tests. Integers are
// Text.Number, and other arguments are zero.
func Combine(shape input.Shape, texts []Text, name string) []corpus.Seed {
	slots := 0
	for _, k := range shape {
		if signature.TextLike(k) {
			slots++
		}
	}
	if slots == 0 {
		return nil
	}
	zero, err := shape.Unpack(shape.Zero())
	if err != nil {
		return nil
	}
	word := "string in "
	if slots > 1 {
		word = "strings from "
	}
	var seeds []corpus.Seed
	for i := range texts {
		values := append([]any(nil), zero...)
		next := i
		for j, k := range shape {
			if !signature.TextLike(k) {
				if n, ok := pack(input.Shape{k}, []ast.Expr{&ast.BasicLit{Kind: token.INT, Value: strconv.Itoa(texts[i].Number)}}); ok {
					one, _ := input.Shape{k}.Unpack(n)
					values[j] = one[0]
				}
				continue
			}
			text := texts[min(next, len(texts)-1)].Value
			next++
			if values[j] = text; k == input.Bytes {
				values[j] = []byte(text)
			}
		}
		if flat, err := shape.Pack(values...); err == nil {
			seeds = append(seeds, corpus.Seed{Flat: flat, From: word + texts[i].At + " of " + name})
		}
	}
	return seeds
}

// messages are methods of testing and fmt whose string arguments are messages and not inputs.
var messages = map[string]bool{"Error": true, "Errorf": true, "Fatal": true, "Fatalf": true, "Log": true, "Logf": true,
	"Skip": true, "Skipf": true, "Run": true, "Printf": true, "Println": true, "Sprintf": true, "Getenv": true}

// testStrings returns the distinct string literals of a test file that may be inputs, in the order
// of the source.
func testStrings(name string) []Text {
	fset := token.NewFileSet()
	f, _ := gosyntax.ParseFile(fset, name, nil, parser.SkipObjectResolution)
	if f == nil {
		return nil
	}
	var texts []Text
	seen := map[string]bool{}
	last, latest := 0, 0 // texts[last:] wait for a number
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && messages[s.Sel.Name] {
				var rest []ast.Expr
				for _, a := range n.Args {
					if _, literal := a.(*ast.BasicLit); !literal {
						rest = append(rest, a)
					}
				}
				n.Args = rest
			}
		case *ast.BasicLit:
			if n.Kind == token.INT {
				if number, err := strconv.Atoi(n.Value); err == nil && number <= maxNumber {
					for ; last < len(texts); last++ {
						texts[last].Number = number
					}
					latest = number
				}
			}
			if n.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(n.Value)
			if err == nil && len(text) >= 1 && len(text) <= maxLiteral && !seen[text] {
				seen[text] = true
				texts = append(texts, Text{Value: text, At: fmt.Sprintf("%s:%d", filepath.Base(name), fset.Position(n.Pos()).Line)})
			}
		}
		return true
	})
	for ; last < len(texts); last++ {
		texts[last].Number = latest
	}
	return texts
}
