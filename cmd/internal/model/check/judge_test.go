package check

import (
	"context"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/model/confirm"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/extract/extracttest"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/model/verdict"
)

// asker is an engine with one answer. It counts the questions.
type asker struct {
	answer extract.Outcome
	asked  int
}

func (a *asker) Ask(_ context.Context, q extract.Question) ([]extract.Outcome, error) {
	a.asked++
	return []extract.Outcome{a.answer}, nil
}

// TestJudge checks that an engine is asked once about a call, even if many inputs shrink to that
// call. Explain lists who confirmed it or who did not.
func TestJudge(t *testing.T) {
	m, err := Prepare(context.Background(), &record.Record{Answer: *extracttest.Answer(t, "memchr")}, Options{Dir: t.TempDir(), Target: "t", Program: "angr", Scope: scope.Options{Samples: 100}})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, test := range []struct {
		answer extract.Outcome
		why    string
		said   []string
	}{
		{extract.Outcome{Status: extract.Nothing, Reason: "no path of the model returns"}, "",
			[]string{"  confirmed: memchr((char[4]){\"\"}, 0, 0)\n", "    z3 and cvc5: unsat: none of the model's 1 path has the call\n", "    the engine: does not return: no path of the model returns\n"}},
		{extract.Outcome{Status: extract.OK, Form: "address", Value: "0", Unique: true}, "the engine: answers rightly when it is asked for this call alone: returns NULL",
			[]string{"  not confirmed: memchr((char[4]){\"\"}, 0, 0): the engine: answers rightly"}},
		{extract.Outcome{Status: extract.Crash, Reason: "it ended: signal: killed"}, "not answered: the engine: crashes: it ended: signal: killed",
			[]string{"  not answered: memchr((char[4]){\"\"}, 0, 0): the engine: crashes"}},
	} {
		engine := &asker{answer: test.answer}
		j := m.Judge(engine, confirm.Options{})
		for _, flat := range []string{"", "\x00", "\x00\x00\x00\x00\x00\x00\x00\x00\x00"} {
			if why, err := j.Veto(context.Background(), "bucket", []byte(flat)); why != test.why || err != nil {
				t.Errorf("%q: %q, %v, not %q", flat, why, err, test.why)
			}
		}
		questions := 2 // with symbols, and with values
		if strings.Contains(test.why, "answers rightly") {
			questions = 1
		}
		if engine.asked != questions || len(j.Asked) != 1 {
			t.Errorf("the engine was asked %d times, and %d calls are listed", engine.asked, len(j.Asked))
		}
		nobody := verdict.Kind(test.why) == finding.NotAnswered
		if u := j.Unanswered(); len(u) != map[bool]int{true: 1}[nobody] || nobody && (u[0].Calls != 1 || u[0].Function != "memchr" || u[0].Reason != test.why[len("not answered: "):]) {
			t.Errorf("not answered: %+v", u)
		}
		if asked, silent, why := j.Silent(); asked != 1 || silent != map[bool]int{true: 1}[nobody] || nobody != (why != "") {
			t.Errorf("asked %d times, without an answer %d times: %q", asked, silent, why)
		}
		told := j.Explain()
		for _, part := range test.said {
			if !strings.Contains(told, part) {
				t.Errorf("%q lacks %q", told, part)
			}
		}
		j.Close()
	}
	// After some refutations, a bucket is not asked about again. Calls out of scope, and known
	// ones, do not count.
	engine := &asker{answer: extract.Outcome{Status: extract.OK, Form: "address", Value: "0", Unique: true}}
	patient := m.Judge(engine, confirm.Options{})
	defer patient.Close()
	var b verdict.Buckets
	asked := 0
	out := func(why string) string { return verdict.Outside(why, scope.Dropped) }
	if out("") != "" || out("a") != "out of scope (dropped): a" || verdict.Kind(out("a")) != "dropped" || verdict.Kind(verdict.Outside("a) b", scope.Unspecified)) != "undefined in C" || verdict.Kind("right") != "unconfirmed" {
		t.Errorf("out of scope: %q, counted as %q", out("a"), verdict.Kind(out("a")))
	}
	for _, why := range []string{out("a"), out("b"), out("c"), out("d"), "right", ""} {
		got, err := b.Veto(context.Background(), "bucket", func() (string, error) { asked++; return why, nil })
		if got != why || err != nil {
			t.Errorf("%q: %q, %v", why, got, err)
		}
	}
	if asked != 6 {
		t.Errorf("asked %d times, not 6", asked)
	}
	for range verdict.Patience + 2 {
		patient.Veto(context.Background(), "bucket", nil)
	}
	if why, err := patient.Veto(context.Background(), "bucket", []byte("\x01")); why != "the model does not deviate" || err != nil || engine.asked != 1 {
		t.Errorf("after a known answer: %q, %v, asked %d times", why, err, engine.asked)
	}
	// Canceling parallax does not refute the deviation.
	j := m.Judge(&asker{}, confirm.Options{})
	defer j.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if why, err := j.Veto(ctx, "bucket", nil); why != "" || err == nil || j.Err != nil {
		t.Errorf("interrupted: %q, %v, and later %v", why, err, j.Err)
	}
}
