package http

import (
	"net/url"
	"strings"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/program"
)

// Kind is the table row of services.
var Kind = program.Kind{
	Name: "http",
	Mark: "url",
	Keys: []string{"url", "method", "headers", "value", "accepted", "rejected", "rate", "retries", "start", "ready", "env",
		"timeout", "memory", "file_size", "processes", "output"},
	Instead: map[string]string{
		"network": "a service is reached over the network, so that it always has it",
		"command": "what starts the service is start",
	},
	Parse: parse,
	Open:  program.Opener(Open),
}

// Settings is a service in parallax.toml.
type Settings struct {
	URL     string   // may have {input}, and {port} with Start
	Method  string   // default: POST, or GET with {input} in URL
	Headers []Header // sorted by name
	// the value's parts of an answer: status, body, header:Name with its canonical name
	Parts    []string
	Accepted []string // status codes: "200" or "2xx"
	Rejected []string
	Rate     int // requests per second; 0 means no limit
	Retries  int // of requests without an answer
	Start    []string
	Ready    string // URL that answers with 2xx once Start is ready; empty means any answer of URL
}

// ofStart lists the keys about the process that parallax starts.
var ofStart = []string{"dir", "env", "memory", "file_size", "processes"}

func parse(t *tomldoc.Table, common *program.Common) program.Settings {
	p := &Settings{}
	p.URL = address(t, "url")
	if !t.Has("url") {
		t.Reportf(t.Position(), `a program of kind http has no url: write one like url = "http://127.0.0.1:8080/parse"`)
	}
	inURL := strings.Contains(p.URL, inputMark)
	p.Method = "POST"
	if inURL {
		p.Method = "GET"
	}
	if m := t.Text("method"); m != "" {
		switch {
		case !token().MatchString(m):
			t.Reportf(t.ValuePosition("method"), "method = %q is no method: write one like POST, PUT or GET", m)
		case (m == "GET" || m == "HEAD") && p.URL != "" && !inURL:
			t.Reportf(t.ValuePosition("method"), "a request of method %s has no body: put {input} into the url where the input belongs, or use POST", m)
		}
		p.Method = m
	}
	p.Headers = headers(t)
	p.Parts = parts(t)
	p.Accepted, p.Rejected = statuses(t)
	if n, ok := t.Int("rate", 0, 1_000_000); ok {
		p.Rate = int(n)
	}
	p.Retries = 3
	if n, ok := t.Int("retries", 0, 100); ok {
		p.Retries = int(n)
	}
	p.Start, p.Ready = t.Command("start"), address(t, "ready")
	program.NoPlace(t, "start", p.Start, "the input goes to the service, with each request")
	for i, arg := range p.Start {
		if i == 0 && strings.Contains(arg, portMark) {
			t.Reportf(t.ValuePosition("start"), "start: %s cannot be part of what is started", portMark)
		}
	}
	if len(p.Start) > 0 && p.URL != "" && !strings.Contains(p.URL, portMark) {
		t.Reportf(t.ValuePosition("start"), "start: several instances of the service run at the same time, for fuzzing and for triage, each on a free port: write %s for the port in url, and pass it to the command, which also has it in $PORT", portMark)
	}
	common.Env = program.Variables(t, "env")
	common.Limits.Network = true
	if !t.Has("start") {
		common.Limits = limits.Limits{Timeout: common.Limits.Timeout, Output: common.Limits.Output, Network: true}
		for _, name := range append([]string{"ready"}, ofStart...) {
			if t.Has(name) {
				t.Reportf(t.Key(name).At, "%s is about the process that parallax starts, and there is no start", name)
			}
		}
	}
	return p
}

// Runs implements program.Settings.
func (s *Settings) Runs() string {
	bare := strings.NewReplacer(":"+portMark, "", inputMark, "").Replace(s.URL)
	if u, err := url.Parse(bare); err == nil {
		return strings.TrimRight(u.Host+u.Path, "/")
	}
	return ""
}

// Traits implements program.Settings.
func (s *Settings) Traits() program.Traits {
	started := len(s.Start) > 0
	return program.Traits{Processes: started, NoCoverage: true, CostlyInputs: true, ProcessPerInput: !started}
}

// Meaning implements program.Meaningful.
func (s *Settings) Meaning() map[string]string {
	return map[string]string{
		"method": s.Method, "value": strings.Join(s.Parts, ", "),
		"reading of status codes": program.Listed("accepted", strings.Join(s.Accepted, " "), "rejected", strings.Join(s.Rejected, " ")),
	}
}

// Prepare implements program.Settings.
func (s *Settings) Prepare(c *program.Common, p *program.Preparation) (program.Prepared, error) {
	prepared := &Config{
		Name: c.Name, URL: s.URL, Method: s.Method, Headers: s.Headers, Value: s.Parts, Accepted: s.Accepted, Rejected: s.Rejected,
		Rate: float64(s.Rate), Retries: s.Retries, Limits: c.Limits, Ready: s.Ready, Dir: c.Dir, Env: p.Env, Tool: p.Tool, TempDir: p.Dir,
	}
	if len(s.Start) > 0 {
		prepared.Start = program.Absolute(c.Dir, s.Start)
	}
	return prepared, nil
}

// Shown implements program.Prepared.
func (c *Config) Shown() string { return c.URL }

// Line implements program.Prepared.
func (c *Config) Line() string { return c.URL }
