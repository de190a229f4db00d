package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestResults checks that a failure of a test, a package or a build fails the whole. Skipped tests
// are counted by reason.
func TestResults(t *testing.T) {
	const pass = `{"Action":"pass","Package":"a","Test":"TestA"}
{"Action":"output","Package":"a","Test":"TestS","Output":"    a_test.go:3: needs user namespaces\n"}
{"Action":"skip","Package":"a","Test":"TestS"}
{"Action":"output","Package":"a","Test":"TestT","Output":"    a_test.go:9: needs user namespaces\n"}
{"Action":"skip","Package":"a","Test":"TestT"}
{"Action":"pass","Package":"a","Elapsed":1.5}
`
	const end = `{"Action":"end"}`
	for _, test := range []struct {
		text, want string
		ok         bool
	}{
		{pass + end, "skipped   2: needs user namespaces (a.TestS and 1 more)\n1 tests passed, 0 failed, 2 skipped", true},
		{pass + `{"Action":"output","Package":"b","Test":"TestB","Output":"    b_test.go:1: wrong\n"}` + "\n" + `{"Action":"fail","Package":"b","Test":"TestB"}`, "b_test.go:1: wrong\n", false},
		{pass + `{"Action":"fail","Package":"b"}`, "failed: b\n", false},
		{pass + `{"Action":"output","Package":"b","Test":"TestB","Output":"panic: test timed out\n"}` + "\n" + `{"Action":"fail","Package":"b"}`,
			"panic: test timed out\nFAIL  b  0.0s\n\nskipped   2: needs user namespaces (a.TestS and 1 more)\nfailed: b\nfailed: b.TestB (did not end)\n", false},
		{pass + `{"Action":"build-output","ImportPath":"b","Output":"b.go:1: syntax\n"}` + "\n" + `{"Action":"build-fail","ImportPath":"b"}`, "b.go:1: syntax\n", false},
		{"go: no such module\n", "go: no such module\n", false},
		{pass, "the tests ended early", false},
		{end, "0 tests passed", false},
	} {
		var b bytes.Buffer
		r := &results{w: &b, began: time.Now(), output: map[string][]string{}, skipped: map[string][]string{}}
		if err := r.read(strings.NewReader(test.text)); err != nil {
			t.Fatal(err)
		}
		if ok := r.end(); ok != test.ok || !strings.Contains(b.String(), test.want) {
			t.Errorf("%s: %t\n%s", test.text, ok, b.String())
		}
	}
}
