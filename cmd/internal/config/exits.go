package config

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// crashCodes are what shells and wrappers exit with for a command that a signal ended: SIGILL, SIGABRT, SIGBUS, SIGFPE and
// SIGSEGV with 128 added.
var crashCodes = []int{132, 134, 135, 136, 139}

// exit reads the exit codes of a command. Without it, 0 is accepted and all others but crashCodes are rejected. With it, that
// holds for what it leaves open: without accepted, 0; without rejected, what is in no other list.
func (t *table) exit() Exit {
	inner := t.open("exit", "exit")
	var e Exit
	seen := map[int]string{}
	for _, list := range []struct {
		name string
		to   *[]int
	}{{"accepted", &e.Accepted}, {"rejected", &e.Rejected}, {"declined", &e.Declined}} {
		*list.to = inner.codes(list.name, seen)
	}
	inner.finish()
	if _, taken := seen[0]; !inner.has("accepted") && !taken {
		e.Accepted, seen[0] = []int{0}, "accepted"
	}
	if !inner.has("rejected") {
		for code := 0; code <= 255; code++ {
			if seen[code] == "" && !slices.Contains(crashCodes, code) {
				e.Rejected = append(e.Rejected, code)
			}
		}
	}
	return e
}

func (t *table) codes(name string, seen map[int]string) []int {
	k := t.take(name, arrayForm)
	if k == nil {
		return nil
	}
	var all []int
	for _, n := range k.value.elems {
		code, err := integer(n.text)
		switch {
		case n.form != integerForm || err != nil || code < 0 || code > 255:
			t.bad(n.at, "exit.%s has exit codes, 0 to 255, and here is %s", name, n.shown())
		case seen[int(code)] != "":
			t.bad(n.at, "exit: %d is in %s already", code, seen[int(code)])
		default:
			seen[int(code)] = name
			all = append(all, int(code))
		}
	}
	slices.Sort(all)
	return all
}

// shown is a value in a message.
func (n *node) shown() string {
	switch n.form {
	case textForm:
		return strconv.Quote(n.text)
	case tableForm, arrayForm:
		return n.form.String()
	}
	return n.text
}

// statusForm is a status code, or a class of them.
var statusForm = regexp.MustCompile(`^[1-5](?:[0-9][0-9]|xx)$`)

// The status codes that count when the file does not say: those of package program/http.
var usualAccepted, usualRejected = []string{"2xx", "3xx"}, []string{"4xx"}

// statuses reads which answers of a service accept and which reject. A code's own entry comes before that of its class, and
// what has neither is a crash. A list that is not there is the usual one, without what the other says.
func (t *table) statuses() (accepted, rejected []string) {
	seen := map[string]string{}
	accepted, rejected = t.status("accepted", seen), t.status("rejected", seen)
	usual := func(name string, codes []string) (all []string) {
		for _, code := range codes {
			if !t.has(name) && seen[code] == "" {
				all = append(all, code)
			}
		}
		return all
	}
	accepted, rejected = append(accepted, usual("accepted", usualAccepted)...), append(rejected, usual("rejected", usualRejected)...)
	if len(accepted)+len(rejected) == 0 && t.hollow("accepted") && t.hollow("rejected") {
		t.bad(t.where("rejected"), "accepted and rejected are empty, so that every answer would be a crash: leave one of them away")
	}
	return accepted, rejected
}

func (t *table) status(name string, seen map[string]string) []string {
	k := t.find(name)
	if k == nil {
		return nil
	}
	elems := k.value.elems
	if k.value.form != arrayForm {
		elems = []*node{k.value}
	}
	var all []string
	for _, n := range elems {
		code := strings.ToLower(n.text)
		switch {
		case n.form != textForm && n.form != integerForm || !statusForm.MatchString(code):
			t.bad(n.at, `%s has status codes like 200 and classes like "2xx", and here is %s`, name, n.shown())
		case seen[code] == name:
			t.bad(n.at, "%s has %s twice", name, code)
		case seen[code] != "":
			t.bad(n.at, "%s is in %s already", code, seen[code])
		default:
			seen[code] = name
			all = append(all, code)
		}
	}
	return all
}
