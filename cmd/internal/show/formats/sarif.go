package formats

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/regress"
	"parallax/cmd/internal/show/text"
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// Fingerprints of a result. GitHub code scanning only compares primaryLocationLineHash, and
// computes a missing one from the text of the line. Then two findings on one line would be one
// alert, and an edit of the line would open another one.
const (
	bucketPrint  = "parallaxBucket/v1"
	lineHashName = "primaryLocationLineHash"
)

// rule is a kind of finding with its description for code scanning.
type rule struct{ id, name, short, full string }

// rules lists all rules, with and without findings. Results refer to their index.
var rules = []rule{
	{"crash", "Crash", "A program crashes", "An input makes the program panic, end its process or harm it."},
	{"oom", "OutOfMemory", "A program runs out of memory", "An input makes the program take more memory than it is allowed."},
	{"failure", "Failure", "A fuzz test fails", "An input makes the fuzz test fail: it calls t.Error, t.Fatal or the like."},
	{"timeout", "Timeout", "A program does not return", "The program takes longer for an input than it is allowed."},
	{"discrepancy", "Discrepancy", "Programs disagree", "Programs that should do the same do not: one accepts an input that another rejects, or they accept it with different values."},
	{"change", "Change", "A change alters behavior", "The new version of a program does something else than the old one on an input."},
	{"finding", "Finding", "A finding of another kind", "A kind of finding that this format has no rule for."},
}

const ruleHelp = "The message has the smallest input that shows it, what each program did, and a command that runs it again. `parallax show BUCKET` " +
	"prints everything about it. Fix the cause, or mark it as intended: `parallax accept BUCKET --reason TEXT`."

// Sarif returns a SARIF log with one run for all targets: GitHub takes one run per tool and
// category. It omits findings that no longer reproduce, so that code scanning closes them.
func (r *Report) Sarif() ([]byte, error) {
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "parallax", Version: r.Tool}},
		Invocations: []sarifInvocation{r.invocation()},
		Results:     []sarifResult{}, ColumnKind: "unicodeCodePoints", Properties: &sarifTargets{[]sarifTarget{}},
	}
	for _, k := range rules {
		text := strings.ReplaceAll(ruleHelp, "`", "")
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: k.id, Name: k.name, ShortDescription: sarifMessage{Text: k.short}, FullDescription: sarifMessage{Text: k.full},
			Default: sarifDefault{"error"}, Help: sarifMessage{text, ruleHelp},
			Properties: sarifRuleProps{[]string{"correctness", "fuzzing"}, "very-high", "error"}, // each finding was confirmed in several processes
		})
	}
	for i := range r.Targets {
		t := &r.Targets[i]
		if s := t.Summary; s != nil {
			run.Properties.Targets = append(run.Properties.Targets, sarifTarget{escape.Text(t.Name), s.Mode, s.Inputs, s.Executions, t.Earlier})
		}
		for k := range t.Findings {
			if result, ok := r.result(t, &t.Findings[k]); ok {
				run.Results = append(run.Results, result)
			}
		}
	}
	return finding.JSON(sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

// invocation reports the targets that could not be fuzzed completely.
func (r *Report) invocation() sarifInvocation {
	inv := sarifInvocation{Successful: true}
	for i := range r.Targets {
		if t := &r.Targets[i]; t.Problem != "" {
			inv.Successful = false
			inv.Notifications = append(inv.Notifications, sarifNotification{"error", sarifMessage{Text: links(escape.Text(t.Name) + ": " + escape.Lines(t.Problem))}})
		}
	}
	return inv
}

// baseline compares a finding with the old version.
var baseline = map[regress.Status]string{regress.StatusNew: "new", regress.StatusChanged: "new", regress.StatusOld: "unchanged"}

// result converts a finding that reproduces.
func (r *Report) result(t *Target, f *Placed) (sarifResult, bool) {
	what, word := r.fate(&f.Row)
	if what == settled || !f.Shows() {
		return sarifResult{}, false
	}
	index := max(slices.IndexFunc(rules, func(k rule) bool { return k.id == f.Kind }), -1)
	if index < 0 {
		index = len(rules) - 1
	}
	out := sarifResult{
		RuleID: rules[index].id, RuleIndex: index, Level: map[fate]string{fails: "error", alters: "warning", noted: "note"}[what],
		Message: sarifMessage{Text: links(f.message(t))}, Locations: []sarifLocation{}, Fingerprints: fingerprints(t, f),
		Occurrences: f.Count, Suppressions: []sarifSuppression{},
		BaselineState: baseline[regress.Status(f.Status)],
		Properties: sarifResultProps{
			Target: escape.Text(t.Name), Bucket: escape.Text(f.ID), State: word, Layer: escape.Text(f.Layer), Input: f.input(), Origin: f.origin(),
			Outcomes: escapedMap(f.Outcomes), Results: escapedMap(f.Results), Location: escape.Text(f.Location),
			Folder: escape.Text(f.Page.Folder), Reproduce: f.reproduce(),
		},
	}
	for _, name := range f.Odd {
		out.Properties.Odd = append(out.Properties.Odd, escape.Text(name))
	}
	for _, s := range f.Sharers {
		out.Properties.Also = append(out.Properties.Also, escape.Text(s.ID+" of "+s.Target))
	}
	if f.Where.File != "" {
		out.Locations = append(out.Locations, f.Where.sarif())
	}
	for i, at := range f.Related {
		l := at.Where.sarif()
		l.ID, l.Message = &i, &sarifMessage{Text: links(escape.Text(at.Program) + " decides here")}
		out.Related = append(out.Related, l)
	}
	if f.Accepted {
		out.Suppressions = append(out.Suppressions, sarifSuppression{"external", "accepted", escape.Text(f.Reason)})
	}
	return out, true
}

// message describes the finding for a reader who sees only the message.
func (f *Placed) message(t *Target) string {
	var b strings.Builder
	b.WriteString(f.title())
	if in := f.input(); in != "" {
		b.WriteString(", on the input " + in)
	}
	b.WriteString(".")
	if origin := f.origin(); origin != "" {
		b.WriteString(" Origin: " + origin + ".")
	}
	if did := f.outcomesText(t); did != "" && len(f.Outcomes) > 1 {
		b.WriteString("\n\nWhat each program did: " + did + ".")
	}
	if odd := f.odd(); odd != "" {
		b.WriteString(" Odd one out: " + odd + ".")
	}
	if words := f.Where.words(); words != "" {
		b.WriteString("\n\n" + words)
	}
	if f.Older {
		b.WriteString("\n\nIts places are " + finding.OlderSources + ".")
	}
	if also := text.AlsoShown(&f.Row, t.Name); also != "" {
		b.WriteString("\n\nIt is " + also + ".")
	}
	b.WriteString("\n\nBucket " + escape.Text(f.ID) + " of " + escape.Text(t.Name) + ".")
	if lines := f.reproduce(); len(lines) > 0 {
		b.WriteString(" To run it again: " + lines[0])
	}
	return b.String()
}

// reproduce returns the command lines that run a finding again: with parallax, and without.
func (f *Placed) reproduce() []string {
	var lines []string
	if f.Page.Replay != "" {
		lines = append(lines, escape.Text(f.Page.Replay))
	}
	if f.Record != nil {
		if alone := text.Alone(f.Record, f.Page); alone != "" {
			lines = append(lines, escape.Text(alone))
		}
	}
	return lines
}

// links escapes text that SARIF would read as a link, [text](destination) (section 3.11.6).
func links(s string) string {
	if !strings.Contains(s, "](") {
		return s
	}
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(s)
}

// fingerprints returns the fingerprints of a bucket, which are the same in all runs. They include
// the target, since two targets may have the same bucket id.
func fingerprints(t *Target, f *Placed) map[string]string {
	mode := ""
	if t.Summary != nil {
		mode = t.Summary.Mode
	}
	sum := sha256.Sum256([]byte(mode + "\x00" + t.Name + "\x00" + f.ID))
	return map[string]string{bucketPrint: escape.Text(f.ID), lineHashName: hex.EncodeToString(sum[:8]) + ":1"}
}

func (p *Anchor) sarif() sarifLocation {
	u := url.URL{Path: p.File}
	l := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{u.String(), "%SRCROOT%"}}}
	line := max(p.Line, 1) // GitHub shows an alert at a line
	l.Physical.Region = &sarifRegion{line, 1, line, 1}
	return l
}

func escapedMap(m map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range m {
		out[escape.Text(k)] = escape.Text(v)
	}
	return out
}
