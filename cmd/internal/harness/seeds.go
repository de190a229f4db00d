package harness

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"parallax/cmd/internal/gocommand"
	"parallax/cmd/internal/instrument/golang"
	"parallax/cmd/internal/signature"
	"parallax/internal/input"
)

const (
	maxSeeds   = 300
	maxLiteral = 1024 // bytes of a mined string
)

// mine fills Seeds from the tests of the packages under test, and Dictionary from the code.
func (p *Plan) mine() error {
	var perPackage [][][]byte
	seen := map[string]bool{}
	var files []string
	for _, c := range p.calls {
		if seen[c.Package.ImportPath] {
			continue
		}
		seen[c.Package.ImportPath] = true
		perPackage = append(perPackage, minePackage(c.Package, p.Shape))
		files = append(append(files, c.Package.GoFiles...), c.Package.CgoFiles...)
	}
	p.Seeds = deal(perPackage, maxSeeds)
	if n := len(p.Seeds); n > 0 {
		p.root.Note("%d seeds are taken from the tests of the packages under test", n)
	}
	var others []string
	for _, q := range p.Packages {
		if !q.Standard && !seen[q.ImportPath] {
			others = append(others, q.Files...)
		}
	}
	p.learnFrom(files, others)
	return nil
}

// learnFrom fills Dictionary with the literals of files: of the packages under test first, since what they depend on may
// be large, and words beyond the limit are dropped.
func (p *Plan) learnFrom(own, others []string) {
	for _, files := range [][]string{own, others} {
		tokens, err := golang.Literals(files)
		if err != nil {
			p.root.Note("there is no automatic dictionary: %v", err) // the compiler will say more
			return
		}
		p.learn(tokens)
	}
}

// maxWords bounds the automatic dictionary.
const maxWords = 512

// learn adds words that the dictionary lacks.
func (p *Plan) learn(words [][]byte) {
	for _, w := range words {
		if len(p.Dictionary) < maxWords && !slices.ContainsFunc(p.Dictionary, func(d []byte) bool { return bytes.Equal(d, w) }) {
			p.Dictionary = append(p.Dictionary, w)
		}
	}
}

// deal takes seeds from the packages in turn, without duplicates, so that none crowds out the others.
func deal(perPackage [][][]byte, most int) [][]byte {
	var seeds [][]byte
	taken := map[string]bool{}
	for row := 0; ; row++ {
		any := false
		for _, list := range perPackage {
			if row >= len(list) {
				continue
			}
			any = true
			if flat := list[row]; !taken[string(flat)] && len(seeds) < most {
				taken[string(flat)] = true
				seeds = append(seeds, flat)
			}
		}
		if !any || len(seeds) == most {
			return seeds
		}
	}
}

// minePackage returns the seeds of one package: the corpus files of its fuzz tests, then the strings of its tests.
func minePackage(pkg *gocommand.Package, shape input.Shape) [][]byte {
	var seeds [][]byte
	corpus, _ := filepath.Glob(filepath.Join(pkg.Dir, "testdata", "fuzz", "*", "*"))
	sort.Strings(corpus)
	for _, name := range corpus {
		data, err := os.ReadFile(name)
		if err != nil || !strings.HasPrefix(string(data), "go test fuzz v1") {
			continue
		}
		if flat, err := shape.Import(data); err == nil && len(flat) <= 64*maxLiteral {
			seeds = append(seeds, flat)
		}
	}
	var texts []string
	for _, names := range [][]string{pkg.TestGoFiles, pkg.XTestGoFiles} {
		for _, name := range names {
			texts = append(texts, testStrings(filepath.Join(pkg.Dir, name))...)
		}
	}
	return append(seeds, combine(shape, texts)...)
}

// combine makes inputs of strings in the order of the tests' source: where an input has several strings, of neighbours,
// which in the tables of tests tend to belong together. Other arguments are zero.
func combine(shape input.Shape, texts []string) [][]byte {
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
	var seeds [][]byte
	for i := range texts {
		values := append([]any(nil), zero...)
		next := i
		for j, k := range shape {
			if !signature.TextLike(k) {
				continue
			}
			text := texts[min(next, len(texts)-1)]
			next++
			if values[j] = text; k == input.Bytes {
				values[j] = []byte(text)
			}
		}
		if flat, err := shape.Pack(values...); err == nil {
			seeds = append(seeds, flat)
		}
	}
	return seeds
}

// messages are methods of testing and fmt whose string arguments are messages and not inputs.
var messages = map[string]bool{"Error": true, "Errorf": true, "Fatal": true, "Fatalf": true, "Log": true, "Logf": true,
	"Skip": true, "Skipf": true, "Run": true, "Printf": true, "Println": true, "Sprintf": true, "Getenv": true}

// testStrings returns the distinct string literals of a test file that may be inputs, in the order of the source.
func testStrings(name string) []string {
	f, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if f == nil {
		return nil
	}
	var texts []string
	seen := map[string]bool{}
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
			if n.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(n.Value)
			if err == nil && len(text) >= 1 && len(text) <= maxLiteral && !seen[text] {
				seen[text] = true
				texts = append(texts, text)
			}
		}
		return true
	})
	return texts
}
