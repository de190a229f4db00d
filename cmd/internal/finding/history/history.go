// Package history holds the life of a bucket of findings: its state, its owner, a link to an issue,
// and comments. The life is a log in the bucket's folder (history.jsonl), an Entry per line. Lines
// are only appended. The commands note, accept and replay, the live page, and campaigns append to
// it.
//
// Invariants: the reader skips lines that it cannot read, such as the rest of a write that a kill
// cut off, and unknown keys. The file of accepted differences decides what is accepted: the log
// only records when, by whom and why.
package history

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"parallax/cmd/internal/base/exit"
)

// Version is the format of a line.
const Version = 1

// State is the state of a bucket.
type State string

// The states of a bucket. A bucket is new until somebody or a run records another state.
const (
	New       State = "new"
	Confirmed State = "confirmed" // somebody has confirmed that it is a defect
	Accepted  State = "accepted"  // an entry of the accepted differences covers it
	Fixed     State = "fixed"     // it no longer shows
	Again     State = "again"     // it shows again after it was fixed
)

// States lists the states in the order of a bucket's life.
var States = []State{New, Confirmed, Accepted, Fixed, Again}

// Entry is a line of the log. A key that is left out changes nothing.
type Entry struct {
	Version  int     `json:"version"`
	Time     string  `json:"time,omitempty"`     // RFC 3339
	Author   string  `json:"author,omitempty"`   // the name of the user
	Via      string  `json:"via,omitempty"`      // the way of the change: note, accept, replay, run or page
	State    State   `json:"state,omitempty"`    // new, confirmed, accepted, fixed or again
	Reason   string  `json:"reason,omitempty"`   // why it is accepted
	Revision string  `json:"revision,omitempty"` // of the tested code, for the states fixed and again
	Comment  string  `json:"comment,omitempty"`
	Owner    *string `json:"owner,omitempty"` // who takes care of it; empty means none
	Link     *string `json:"link,omitempty"`  // address of an issue; empty means none
}

// Limits of the texts of an entry in bytes.
const (
	maxComment = 16 << 10
	maxOwner   = 200
	maxLink    = 2000
)

// Check returns an error for an entry that is not fit to be written.
func (e *Entry) Check() error {
	switch {
	case e.State != "" && !e.State.known():
		return exit.Usage("%q is no state of a finding: there are new, confirmed and fixed; accept sets accepted, and replay sets again", string(e.State))
	case len(e.Comment) > maxComment:
		return exit.Usage("the comment has %d bytes: the limit is %d", len(e.Comment), maxComment)
	case len(e.Reason) > maxComment:
		return exit.Usage("the reason has %d bytes: the limit is %d", len(e.Reason), maxComment)
	}
	for _, text := range []string{e.Comment, e.Reason, e.Revision, e.Author} {
		if !utf8.ValidString(text) {
			return exit.Usage("%q is not UTF-8", text)
		}
	}
	if e.Owner != nil && (len(*e.Owner) > maxOwner || strings.ContainsAny(*e.Owner, "\r\n") || !utf8.ValidString(*e.Owner)) {
		return exit.Usage("the owner %q is no name: give one line of at most %d bytes", *e.Owner, maxOwner)
	}
	if e.Link != nil && *e.Link != "" && !address(*e.Link) {
		return exit.Usage("the link %q is no address of an issue: give one that begins with https:// or http://", *e.Link)
	}
	return nil
}

// address reports whether a text is an address that a browser may follow.
func address(s string) bool {
	u, err := url.Parse(s)
	return err == nil && len(s) <= maxLink && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http") && utf8.ValidString(s)
}

func (s State) known() bool {
	return slices.Contains(States, s)
}

// Empty reports whether an entry changes nothing.
func (e *Entry) Empty() bool {
	return e.State == "" && e.Comment == "" && e.Owner == nil && e.Link == nil
}

// When returns the time of an entry. Zero means unknown.
func (e *Entry) When() time.Time {
	t, _ := time.Parse(time.RFC3339, e.Time)
	return t
}

// Encode returns an entry as a line of the log.
func (e Entry) Encode() []byte {
	e.Version = Version
	data, err := json.Marshal(e)
	if err != nil {
		panic(err) // strings and integers always marshal
	}
	return append(data, '\n')
}

// Log is the life of a bucket, oldest entry first.
type Log []Entry

// Parse reads the log. It skips lines that it cannot read, and counts them. A state or an address
// that no writer makes is left out.
func Parse(data []byte) (log Log, skipped int) {
	for line := range bytes.Lines(data) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var e Entry
		if json.Unmarshal(line, &e) != nil || e.Version < 1 || e.Version > Version {
			skipped++
			continue
		}
		if !e.State.known() {
			e.State = ""
		}
		if e.Link != nil && *e.Link != "" && !address(*e.Link) {
			e.Link = nil
		}
		log = append(log, e)
	}
	return log, skipped
}

// Recorded returns the last recorded state, leaving out that of accepted differences.
func (l Log) Recorded() State {
	for i := len(l) - 1; i >= 0; i-- {
		if s := l[i].State; s != "" && s != Accepted {
			return s
		}
	}
	return New
}

// State returns the state of a bucket. accepted means that the file of accepted differences covers
// it, and gone that the last run did not show it.
func (l Log) State(accepted, gone bool) State {
	switch s := l.Recorded(); {
	case gone || s == Fixed:
		return Fixed
	case accepted:
		return Accepted
	default:
		return s
	}
}

// Owner returns the owner. Empty means none.
func (l Log) Owner() string {
	return l.last(func(e *Entry) *string { return e.Owner })
}

// Link returns the address of an issue. Empty means none.
func (l Log) Link() string {
	return l.last(func(e *Entry) *string { return e.Link })
}

func (l Log) last(of func(*Entry) *string) string {
	for i := len(l) - 1; i >= 0; i-- {
		if s := of(&l[i]); s != nil {
			return *s
		}
	}
	return ""
}

// Shown returns the entry that follows from a run: of a bucket that no longer shows, or that shows
// again. ok is false if the state stays.
func (l Log) Shown(shows bool) (e Entry, ok bool) {
	switch s := l.Recorded(); {
	case !shows && s != Fixed:
		return Entry{State: Fixed}, true
	case shows && s == Fixed:
		return Entry{State: Again}, true
	}
	return Entry{}, false
}
