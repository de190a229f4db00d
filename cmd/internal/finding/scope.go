package finding

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"parallax/cmd/internal/base/units"
)

// Scope counts the paths of originals that models cover.
type Scope struct {
	Models    int            `json:"models"`
	Extracted int            `json:"extracted"` // of these; the others are left out
	Paths     int            `json:"paths"`     // of the originals
	InScope   int            `json:"in_scope"`  // of these
	Outside   map[string]int `json:"outside"`   // calls that are no findings, by kind
	Unit      string         `json:"-"`         // the name of one of the paths; empty means path
	LeftOut   []LeftOut      `json:"left_out,omitempty"`
	Changes   []ModelChange  `json:"changes,omitempty"` // since another version of the engine

	Incomplete []Incomplete `json:"incomplete,omitempty"` // of the models that were extracted
	Never      []Never      `json:"never,omitempty"`      // of these, those that never or hardly ever agree on some paths
	Unanswered []Unanswered `json:"unanswered,omitempty"` // and those with deviations that no engine and no solver confirmed or refuted

	// Suspects counts paths that a formula of the model matches and on which it never or hardly ever
	// agrees. Their deviations are findings; they are not in InScope.
	Suspects int `json:"suspects,omitempty"`
}

// Unanswered counts deviations in scope that may or may not be findings. The engine ended its
// process, or a solver did not know.
type Unanswered struct {
	Function string `json:"function"`
	Calls    int    `json:"calls"` // that were asked about; other deviations like them were not
	Call     string `json:"call"`  // the first of them
	Reason   string `json:"reason"`
}

// Never is a model that is wrong on some paths of its original. It returns another value, or
// crashes, on all or nearly all sampled calls of these paths. They count as outside of its scope.
type Never struct {
	Function string `json:"function"`
	Paths    int    `json:"paths"` // on which it agrees on no call, or on one in ten at most
	Of       int    `json:"of"`    // all paths
	Call     string `json:"call"`  // an example
	Original string `json:"original"`
	Model    string `json:"model"`
}

// Incomplete is a model without some paths. Calls that would take these paths are dropped.
type Incomplete struct {
	Function string `json:"function"`
	Reason   string `json:"reason"`
}

// ModelChange compares a model with that of another version of its engine, on sampled calls.
type ModelChange struct {
	Function string `json:"function"`
	Calls    int    `json:"calls"`
	Better   int    `json:"better"`              // calls on which only this version does the same as the original
	Worse    int    `json:"worse"`               // and the other way round
	BetterOn string `json:"better_on,omitempty"` // one of them
	WorseOn  string `json:"worse_on,omitempty"`
	Lost     bool   `json:"lost,omitempty"`    // the other version had a model, and this one has none
	Reason   string `json:"reason,omitempty"`  // why it could not be compared; or ""
	Unknown  int    `json:"unknown,omitempty"` // further calls on which the result of one of the versions is not known
}

// LeftOut is a function without anything to check.
type LeftOut struct {
	Function string `json:"function"`
	Status   string `json:"status"` // of the extraction, NoOriginal, NothingMeant or Contradiction
	Reason   string `json:"reason"`
}

// Add adds another scope to s.
func (s *Scope) Add(o *Scope) {
	switch {
	case s.Paths == 0:
		s.Unit = o.Unit
	case o.Paths > 0 && s.Unit != o.Unit:
		s.Unit = ""
	}
	s.Models, s.Extracted, s.Paths, s.InScope = s.Models+o.Models, s.Extracted+o.Extracted, s.Paths+o.Paths, s.InScope+o.InScope
	s.Suspects += o.Suspects
	if s.Outside == nil {
		s.Outside = map[string]int{}
	}
	for kind, n := range o.Outside {
		s.Outside[kind] += n
	}
	s.LeftOut = append(s.LeftOut, o.LeftOut...)
	s.Incomplete = append(s.Incomplete, o.Incomplete...)
	s.Never = append(s.Never, o.Never...)
	s.Unanswered = append(s.Unanswered, o.Unanswered...)
}

// String returns the scope in words.
func (s *Scope) String() string {
	var parts []string
	if s.Paths > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s of the original in scope", s.InScope, units.Plural(s.Paths, cmp.Or(s.Unit, "path"))))
	}
	if s.Suspects > 0 && s.Paths > 0 {
		parts[0] += fmt.Sprintf(", %d more suspect", s.Suspects)
	}
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(s.Outside)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", s.Outside[kind], kind))
	}
	if len(kinds) > 0 {
		parts = append(parts, "calls that are no findings: "+strings.Join(kinds, ", "))
	}
	return strings.Join(parts, "; ")
}
