// Package page writes campaigns as one HTML file. It needs no network and no other file, and
// JavaScript only for comfort (sorting, filtering, values under the pointer, copying). `parallax
// report` calls Write with the campaigns that package archive reads.
//
// Write is a pure function of the Document. Inputs, outputs, sources and names are untrusted: they
// are escaped as for a terminal (package report) and then by html/template. The
// Content-Security-Policy permits only the scripts and styles of this package, by their hashes. The
// size of the page is bounded, and the page counts the omitted parts.
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
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/show/sources"
	"parallax/cmd/internal/show/text"
)

// Document holds the content of the page.
type Document struct {
	Made      time.Time
	Tool      string // version of parallax
	Campaigns []*Campaign
	Problems  []string // omitted campaigns, with the reason

	Source func(file string) ([]byte, error) // reads a source file; nil means sources.Of the campaigns
}

// Campaign holds the content of one campaign.
type Campaign struct {
	Summary  *finding.Summary
	Folder   string            // as the user would type it
	Dir      string            // its start folder: places of findings may be relative to it
	Built    []string          // folders of the builds of its C programs
	Trees    map[string]string // by program, for versions of one program: the folder of its own sources
	Programs []Program
	Settings []Setting       // the settings of the run
	Samples  []sample.Sample // over time, oldest first
	Findings []Shown         // in the order of the list; all can be read

	Scope     []ScopePath // paths of a model's original; nil for other campaigns
	ScopeUnit string      // the unit of Scope; empty means paths

	Coverage   *Coverage // nil if it was not measured
	NoCoverage string    // the reason for that

	lineTo func(place string) string // address of a line on the live page, or ""; nil for the report
	to     string                    // address of the view of the campaign
	span   Span                      // of the plots
}

// ScopePath is a path of a model's original, with the reason why the scope of the model includes it
// or not.
type ScopePath struct {
	InScope, Suspect    bool
	Why, Counts         string
	Lines               string
	Way                 string // the part of the path that Where and Does describe; empty means all
	Where, Does, Proved string // empty means unknown
	Agreed, Deviating   string // calls; empty means none
	Original, Model     string // behaviors on the deviating call
	Findings            []string
}

// Program is one implementation under test.
type Program struct {
	Name, Function, Module, Version string
}

// Setting is one line about the settings of the run.
type Setting struct{ Name, Value string }

// Shown is a finding with the texts that only a page shows.
type Shown struct {
	finding.Entry
	History history.Log // oldest first
	Issue   string      // the text for an issue; only the live page has it

	Ancestors []Ancestor // the parent of the input first, its seed last; only the live page has them
}

// Ancestor is an input of the corpus on the way from a seed to a finding's input.
type Ancestor struct {
	Hash, Input string
	Operators   []string // that made it of the next one
	From        string   // of a seed: where it is from
	Seed        bool
	To, Made    string // for the template
}

// Origin is an input of the corpus with its way back to a seed.
type Origin struct {
	Input     string
	Size      int        // bytes
	Inputs    uint64     // that the campaign had run when it was found
	New       string     // domains in which it showed something new
	Member    string     // of a fleet, that found it
	Ancestors []Ancestor // the input itself first
}

// Coverage holds the blocks that the inputs of a corpus execute.
type Coverage struct {
	Inputs   int // number of executed inputs
	Of       int // number of all inputs
	Stopped  string
	Files    []File // by folder and name
	Examples []Example
}

// File is a source file with counted blocks.
type File struct {
	Folder string // the package's import path
	Name   string
	Path   string // readable path
	Owners []bool // by program: whether it may run the package
	Own    bool   // of the code under test, not of a dependency; only the live page has it
	Blocks []Block
}

// Block is a counted block.
type Block struct {
	Kind          string
	Line, EndLine int
	Hits          []Hit // by program
}

// Hit describes the inputs that execute a block in one program.
type Hit struct {
	Inputs  int
	Example int  // index into Examples of the shortest such input; only valid if Inputs > 0
	Traces  int  // unique traces that execute it; 0 means unknown
	Ever    bool // executed in the campaign, possibly by inputs that are not in the corpus
}

// Example is an input of the corpus.
type Example struct {
	Hash      string
	Quoted    string
	Hex       string
	Size      int
	Outcomes  []string // by program
	Replay    string   // a command
	Parent    string   // hash of its parent
	Operators []string
}

//go:embed style.css
var style string

//go:embed script.js
var script string

//go:embed *.tmpl
var templates embed.FS

// parsed holds the templates, parsed on demand: most processes write no page.
var parsed = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"thousands": func(n any) string { return thousands(n) },
		"bytes":     func(n int64) string { return units.Bytes(n) },
		"escape":    escape.Text,
		"file":      func(place string) string { return place[:lineAt(place)] },
		"line":      func(place string) string { return place[lineAt(place):] },
		"separate":  func() string { return text.Separate },
		"add":       func(a, b int) int { return a + b },
	}).ParseFS(templates, "*.tmpl"))
})

// lineAt returns the offset of the colon before line and column in a place, or its length without
// them.
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
		d.Source = sources.Of(dirs...)
	}
	v := newView(d)
	v.Style, v.Script = template.CSS(style), template.JS(script)
	v.Policy = fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
		digest(style), digest(script))
	return parsed().ExecuteTemplate(w, "page", v)
}

// digest returns the hash of a script or a style for the policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// anchor replaces the characters of a word that ids and addresses cannot have.
func anchor(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '_'
	}, s)
}
