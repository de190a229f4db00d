package formats

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/show/text"
)

// JUnit XML has no standard. Jenkins, GitLab and others read these elements and attributes, which
// all descriptions have.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Properties []junitProperty `xml:"properties>property,omitempty"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name    string       `xml:"name,attr"`
		Class   string       `xml:"classname,attr"`
		File    string       `xml:"file,attr,omitempty"`
		Line    int          `xml:"line,attr,omitempty"`
		Time    string       `xml:"time,attr"`
		Failure *junitFault  `xml:"failure"`
		Error   *junitFault  `xml:"error"`
		Skipped *junitReason `xml:"skipped"`
		Out     string       `xml:"system-out,omitempty"`
	}
	junitFault struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
	junitReason struct {
		Message string `xml:"message,attr"`
	}
)

// junitReport bounds the report of one finding: browsers show test reports.
const junitReport = 32 << 10

// JUnit returns a report with a suite per target. Its first case is the target, which fails on
// errors but not on findings. Each finding is another case.
func (r *Report) JUnit() ([]byte, error) {
	all := junitSuites{Name: "parallax " + r.Command}
	seconds := 0.0
	for i := range r.Targets {
		t := &r.Targets[i]
		s := r.suite(t)
		all.Tests, all.Failures, all.Errors, all.Skipped = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors, all.Skipped+s.Skipped
		if t.Summary != nil {
			seconds += t.Summary.ElapsedSeconds
		}
		all.Suites = append(all.Suites, s)
	}
	all.Time = junitTime(seconds)
	var b bytes.Buffer
	b.WriteString(xml.Header)
	e := xml.NewEncoder(&b)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return nil, fmt.Errorf("encoding a JUnit report: %w", err)
	}
	b.WriteByte('\n')
	// The encoder writes newlines as references. They only occur in texts, where both forms mean
	// the same.
	return bytes.ReplaceAll(b.Bytes(), []byte("&#xA;"), []byte("\n")), nil
}

// junitTime formats a number of seconds without an exponent.
func junitTime(seconds float64) string {
	if !(seconds >= 0 && seconds < 1e12) {
		seconds = 0
	}
	return strconv.FormatFloat(seconds, 'f', 3, 64)
}

func (r *Report) suite(t *Target) junitSuite {
	name := escape.Text(t.Name)
	s := junitSuite{Name: name, Time: junitTime(0)}
	whole := junitCase{Name: name, Class: "parallax " + r.Command, Time: junitTime(0)}
	if sum := t.Summary; sum != nil && !t.Earlier {
		whole.Time = junitTime(sum.ElapsedSeconds)
		s.Time = whole.Time
		s.Properties = []junitProperty{
			{"inputs", strconv.FormatUint(sum.Inputs, 10)}, {"executions", strconv.FormatUint(sum.Executions, 10)}, {"folder", escape.Text(t.Folder)},
		}
		whole.Out = escape.Text(text.Headline(sum)) + "\n"
		for _, note := range sum.Notes {
			whole.Out += escape.Lines(note) + "\n"
		}
	}
	if t.Problem != "" {
		whole.Error = &junitFault{Message: escape.Cut(escape.Text(firstLine(t.Problem)), 500), Type: "error", Text: escape.Lines(t.Problem)}
	}
	s.Cases = append(s.Cases, whole)
	for i := range t.Findings {
		s.Cases = append(s.Cases, r.findingCase(t, &t.Findings[i]))
	}
	s.Tests = len(s.Cases)
	for i := range s.Cases {
		switch c := &s.Cases[i]; {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	return s
}

// findingCase has the same name in all runs, so that the finding has a history.
func (r *Report) findingCase(t *Target, f *Placed) junitCase {
	c := junitCase{Name: f.kind() + " " + escape.Text(f.ID), Class: escape.Text(t.Name), Time: junitTime(0)}
	if f.Where.File != "" {
		c.File, c.Line = escape.Text(f.Where.File), f.Where.Line
	}
	message := f.title()
	if in := f.input(); in != "" {
		message += ", on the input " + in
	}
	what, word := r.fate(&f.Row)
	as := text.CauseOf(&f.Row)
	switch {
	case as != "":
		c.Skipped = &junitReason{Message: "it has " + as}
	case what == fails:
		c.Failure = &junitFault{Message: message, Type: escape.Text(f.Kind), Text: escape.Lines(f.message(t))}
	case what == alters, what == noted:
		why := word + ": " + meanings[word]
		if f.Accepted && f.Reason != "" {
			why = text.Accepted(f.NewVariant) + ": " + escape.Text(f.Reason)
		}
		if f.Accepts != "" {
			why += "; it accepts " + escape.Text(f.Accepts)
		}
		c.Skipped = &junitReason{Message: why}
	}
	c.Out = f.text(t)
	return c
}

// text returns the finding's report as `parallax show` prints it on a terminal.
func (f *Placed) text(t *Target) string {
	if f.Record == nil {
		return escape.Lines(f.message(t)) + "\n"
	}
	text := escape.Lines(string(text.Terminal(f.Record, f.Page, text.TextOptions{Width: 120})))
	return "\n" + escape.Cut(text, junitReport)
}

func firstLine(s string) string {
	for i := range len(s) {
		if s[i] == '\n' {
			return s[:i]
		}
	}
	return s
}
