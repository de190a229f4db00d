package history

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

func text(s string) *string { return &s }

// TestState checks the state of a bucket for logs, and for facts that are not in the log.
func TestState(t *testing.T) {
	of := func(states ...State) (l Log) {
		for _, s := range states {
			l = append(l, Entry{State: s})
		}
		return l
	}
	for _, c := range []struct {
		name           string
		log            Log
		accepted, gone bool
		want           State
	}{
		{"nothing", nil, false, false, New},
		{"a comment", Log{{Comment: "x"}}, false, false, New},
		{"confirmed", of(Confirmed), false, false, Confirmed},
		{"by the file alone", nil, true, false, Accepted},
		{"accepted", of(Confirmed, Accepted), true, false, Accepted},
		{"the entry was removed from the file", of(Confirmed, Accepted), false, false, Confirmed},
		{"gone without a log", nil, false, true, Fixed},
		{"fixed", of(Confirmed, Fixed), false, false, Fixed},
		{"accepted and fixed", of(Accepted, Fixed), true, false, Fixed},
		{"again", of(Fixed, Again), false, false, Again},
		{"again, and accepted", of(Fixed, Again, Accepted), true, false, Accepted},
		{"reopened", of(Fixed, New), false, false, New},
	} {
		if got := c.log.State(c.accepted, c.gone); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestShown checks what follows from runs of a bucket's input.
func TestShown(t *testing.T) {
	var log Log
	for i, c := range []struct {
		shows bool
		want  State // empty means no entry
	}{{true, ""}, {false, Fixed}, {false, ""}, {true, Again}, {true, ""}, {false, Fixed}, {true, Again}} {
		e, ok := log.Shown(c.shows)
		if ok != (c.want != "") || e.State != c.want {
			t.Fatalf("run %d: %q, %v, want %q", i, e.State, ok, c.want)
		}
		if ok {
			log = append(log, e)
		}
	}
}

func TestOwnerAndLink(t *testing.T) {
	log := Log{{Owner: text("ada")}, {Link: text("https://example.com/1")}, {Comment: "x"}, {Owner: text("")}}
	if log.Owner() != "" || log.Link() != "https://example.com/1" || log[:3].Owner() != "ada" {
		t.Errorf("%q, %q", log.Owner(), log.Link())
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name string
		e    Entry
		want string // part of the error; empty means none
	}{
		{"plain", Entry{Comment: "x", Owner: text("ada"), Link: text("https://example.com/1"), State: Confirmed}, ""},
		{"removed", Entry{Owner: text(""), Link: text("")}, ""},
		{"a state that is none", Entry{State: "done"}, "no state"},
		{"long", Entry{Comment: strings.Repeat("x", maxComment+1)}, "limit"},
		{"no text", Entry{Comment: "\xff"}, "UTF-8"},
		{"an owner of two lines", Entry{Owner: text("a\nb")}, "no name"},
		{"a script", Entry{Link: text("javascript:alert(1)")}, "no address"},
		{"a path", Entry{Link: text("/etc/passwd")}, "no address"},
		{"a reason that is long", Entry{Reason: strings.Repeat("x", maxComment+1)}, "limit"},
	} {
		err := c.e.Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestParse checks that the reader skips damage and reads the rest.
func TestParse(t *testing.T) {
	data := `{"version":1,"comment":"a","later":[1]}
{"version":1,"comment":"cut o
{"version":2,"comment":"of a later parallax"}

{"version":1,"state":"odd","link":"javascript:alert(1)","owner":"ada"}
{"version":1,"comment":"without an end"}`
	log, skipped := Parse([]byte(data))
	want := Log{{Version: 1, Comment: "a"}, {Version: 1, Owner: text("ada")}, {Version: 1, Comment: "without an end"}}
	if skipped != 2 || !reflect.DeepEqual(log, want) {
		t.Errorf("%d skipped, %+v", skipped, log)
	}
}

// FuzzHistory checks that any log can be read, and that its entries can be written again.
func FuzzHistory(f *testing.F) {
	f.Add([]byte(`{"version":1,"time":"2026-01-02T03:04:05Z","author":"ada","via":"note","state":"fixed","revision":"abc","comment":"x\u0000\u2028","owner":"","link":"https://example.com"}` + "\n"))
	f.Add([]byte("{\"version\":1}\n{\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		log, _ := Parse(data)
		var again []byte
		for _, e := range log {
			line := e.Encode()
			if bytes.IndexByte(line, '\n') != len(line)-1 {
				t.Fatalf("%q is not one line", line)
			}
			again = append(again, line...)
		}
		twice, skipped := Parse(again)
		if skipped != 0 || !reflect.DeepEqual(twice, log) && len(log) > 0 {
			t.Errorf("%d skipped\n%+v\n%+v", skipped, log, twice)
		}
		_, _, _ = log.State(true, false), log.Owner(), log.Link()
	})
}
