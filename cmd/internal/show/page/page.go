// Package page writes campaigns as one HTML file that needs nothing else: no network, no second file, and no JavaScript
// for anything but comfort (sorting, filtering, the values under the pointer, copying). `parallax report` calls Write with
// what package archive has gathered.
//
// Write is a pure function of the Document. Inputs, outputs, sources and names are untrusted: they are escaped as for a
// terminal (package report) and then by html/template, and the page's Content-Security-Policy lets no script and no
// style run but those of this package, which it names by their hashes. The size of the page is bounded, and what is
// left out is said in it.
package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/finding/sample"
)

// Document is everything on the page.
type Document struct {
	Made      time.Time
	Tool      string // version of parallax
	Campaigns []*Campaign
	Problems  []string // campaigns that are left out, and why

	Source func(file string) ([]byte, error) // reads a source file; nil: report.Sources of the campaigns
}

// Campaign is one campaign.
type Campaign struct {
	Summary  *report.Summary
	Folder   string            // as the user would type it
	Dir      string            // in which it was started: places of findings may be relative to it
	Built    []string          // folders in which its C programs were built
	Trees    map[string]string // by program: the folder of its own sources, where programs are versions of one
	Programs []Program
	Settings []Setting       // how it was run
	Samples  []sample.Sample // over time, oldest first
	Findings []Finding       // in the order in which they are listed

	Scope     []ScopePath // paths of a model's original; nil: it is of no model
	ScopeUnit string      // what they are; "": paths

	Coverage   *Coverage // nil: not measured
	NoCoverage string    // why not
}

// ScopePath is a path of the original of a model: whether the model is meant for it, and why.
type ScopePath struct {
	InScope             bool
	Why, Counts         string
	Lines               string
	Way                 string // of which part of the path Where and Does are; "": of all
	Where, Does, Proved string // "": it is not known
	Agreed, Deviating   string // calls; "": there is none
	Original, Model     string // what they do on the one that deviates
	Findings            []string
}

// Program is one implementation under test.
type Program struct {
	Name, Function, Module, Version string
}

// Setting is one line about how the campaign was run.
type Setting struct{ Name, Value string }

// Finding is a bucket with its smallest input.
type Finding struct {
	Row        report.Bucket
	Record     *report.Finding
	Folder     string
	Reproducer string
	Script     string // in the place of a test, where programs are of several kinds
	GoMod      string
}

// Coverage is what the inputs of a corpus execute.
type Coverage struct {
	Inputs   int // that were executed
	Of       int // that there are
	Stopped  string
	Files    []File // by folder and name
	Examples []Example
}

// File is a source file with counted blocks.
type File struct {
	Folder string // the package's import path
	Name   string
	Path   string // where it can be read
	Owners []bool // for each program: whether it may run the package
	Blocks []Block
}

// Block is a counted block.
type Block struct {
	Kind          string
	Line, EndLine int
	Hits          []Hit // by program
}

// Hit says which inputs execute a block in one program.
type Hit struct {
	Inputs  int
	Example int  // index into Examples of the shortest one; meaningless without Inputs
	Ever    bool // executed while the campaign ran, if only by inputs that it did not keep
}

// Example is an input of the corpus.
type Example struct {
	Hash      string
	Quoted    string
	Hex       string
	Size      int
	Outcomes  []string // by program
	Replay    string   // a command
	Parent    string   // its hash
	Operators []string
}

//go:embed style.css
var style string

//go:embed script.js
var script string

//go:embed *.tmpl
var templates embed.FS

// parsed are the templates. Most processes of parallax write no page.
var parsed = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"thousands": func(n any) string { return thousands(n) },
		"bytes":     func(n int64) string { return units.Bytes(n) },
		"escape":    escape.Text,
		"file":      func(place string) string { return place[:lineAt(place)] },
		"line":      func(place string) string { return place[lineAt(place):] },
		"separate":  func() string { return report.Separate },
		"add":       func(a, b int) int { return a + b },
	}).ParseFS(templates, "*.tmpl"))
})

// lineAt is where the numbers of line and column begin in a place, with their colon; its length where there are none.
func lineAt(place string) int { return len(strings.TrimRight(place, ":0123456789")) }

func thousands(n any) string {
	switch n := n.(type) {
	case int:
		return units.Thousands(uint64(max(n, 0)))
	case uint64:
		return units.Thousands(n)
	}
	return fmt.Sprint(n)
}

// Write writes the page.
func Write(w io.Writer, d *Document) error {
	if d.Source == nil {
		var dirs []string
		for _, c := range d.Campaigns {
			dirs = append(append(dirs, c.Dir), c.Built...)
			dirs = slices.AppendSeq(dirs, maps.Values(c.Trees))
		}
		d.Source = report.Sources(dirs...)
	}
	v := newView(d)
	v.Style, v.Script = template.CSS(style), template.JS(script)
	v.Policy = fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
		digest(style), digest(script))
	return parsed().ExecuteTemplate(w, "page", v)
}

// digest is the hash by which a policy names a script or a style.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// anchor makes a word fit for an id and for the end of an address.
func anchor(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '_'
	}, s)
}
