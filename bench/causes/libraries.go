package main

import "regexp"

// library is a real library whose mutants are measured. Its package is copied under another path,
// so that original and mutant fit into one binary. Test files are left out, and so are files that
// would need another module.
type library struct {
	Name    string
	Module  string
	Version string
	Package string            // folder in the module
	Files   []string          // that are mutated
	Skip    *regexp.Regexp    // functions, as Func or Type.Func, that the entry does not reach
	Imports map[string]string // packages of the module that are copied too: import path and folder
	Entry   string            // a file of the package that holds func Enter
	Seeds   [][]any           // arguments of Enter
}

var libraries = []library{
	{
		Name: "semver", Module: "github.com/Masterminds/semver/v3", Version: "v3.5.0", Package: ".",
		Files: []string{"version.go", "constraints.go"},
		Skip:  regexp.MustCompile(`JSON|Text|Scan|Value|Inc|Set|New$|StrictNew|MustParse|Than|Original|Validate|\.String|\.string|init`),
		Entry: `package semver

// Enter checks a version against a constraint.
func Enter(constraint, version string) (string, bool, error) {
	c, err := NewConstraint(constraint)
	if err != nil {
		return "", false, err
	}
	v, err := NewVersion(version)
	if err != nil {
		return "", false, err
	}
	return v.String(), c.Check(v), nil
}
`,
		Seeds: [][]any{
			{">=1.2.3", "1.2.4"}, {"~1.2", "v1.2.9"}, {"^0.2.3 || !=3", "0.2.5-beta.1+x"}, {"1.2 - 3.4.5", "2.0.0"},
			{"<2, >1.x", "1.9.0-alpha"}, {"=<1.*", "01.2"},
		},
	},
	{
		Name: "order", Module: "golang.org/x/mod", Version: "v0.42.0", Package: "semver",
		Files: []string{"semver.go"},
		Skip:  regexp.MustCompile(`ByVersion|Sort|Max|^Major|compareVersion`),
		Entry: `package semver

// Enter compares two versions that are valid.
func Enter(v, w string) (int, []string, bool) {
	parts := []string{Canonical(v), Prerelease(v), Build(v)}
	return Compare(v, w), parts, IsValid(v) && IsValid(w)
}
`,
		Seeds: [][]any{{"v1.2.3", "v1.2.4"}, {"v1.2.3-rc.1", "v1.2.3-rc.10"}, {"v1", "v1.0.0+meta"}, {"v0.9-a", "v1.2.3-a.b.2"}},
	},
	{
		Name: "cron", Module: "github.com/robfig/cron/v3", Version: "v3.0.1", Package: ".",
		Files: []string{"parser.go", "spec.go"},
		Skip:  regexp.MustCompile(`^NewParser|^ParseStandard`),
		Entry: `package cron

import "time"

// Enter says when a job runs next.
func Enter(spec string) (int64, error) {
	schedule, err := ParseStandard("TZ=UTC " + spec)
	if err != nil {
		return 0, err
	}
	return schedule.Next(time.Date(2024, 2, 28, 23, 58, 30, 0, time.UTC)).Unix(), nil
}
`,
		Seeds: [][]any{{"* * * * *"}, {"*/5 1-3 1,15 * mon-fri"}, {"0 0 29 2 ?"}, {"@daily"}, {"@every 1h30m"}, {"30 4 1-7/2 jan,dec 0"}},
	},
	{
		Name: "toml", Module: "github.com/BurntSushi/toml", Version: "v1.6.0", Package: ".",
		Files:   []string{"lex.go", "parse.go"},
		Skip:    regexp.MustCompile(`String|^itemType|lexer\.error|Error|init`),
		Imports: map[string]string{"github.com/BurntSushi/toml/internal": "internal"},
		Entry: `package toml

// Enter decodes a document.
func Enter(text string) (any, error) {
	var v map[string]any
	err := Unmarshal([]byte(text), &v)
	return v, err
}
`,
		Seeds: [][]any{
			{"a = 1\nb = \"x\\n\"\n"}, {"[t.u]\nd = 1979-05-27T07:32:00Z\nf = 3.14e2\n"}, {"[[p]]\nn = [1, 0x1F, 0b1]\n[[p]]\nq = {x = true, y = inf}\n"},
			{"s = '''\nraw'''\nm = \"\"\"\na\\\n  b\"\"\"\n# c\n"}, {"t = 07:32:00\n\"k\" = -1_000\n"},
		},
	},
	{
		Name: "words", Module: "github.com/mattn/go-shellwords", Version: "v1.0.12", Package: ".",
		Files: []string{"shellwords.go"},
		Skip:  regexp.MustCompile(`^Parse|^NewParser`),
		Entry: `package shellwords

// Enter splits a line as a shell does.
func Enter(line string) (envs, args []string, err error) {
	p := NewParser()
	p.ParseEnv = true
	p.Getenv = func(name string) string { return "<" + name + ">" }
	return p.ParseWithEnvs(line)
}
`,
		Seeds: [][]any{{"A=b foo --bar=baz"}, {"echo \"$HOME\" 'x y' a\\ b"}, {"foo | bar; baz"}, {"echo ${X}y (sub) $(cmd) `cmd`"}, {"a>b <c &"}},
	},
	{
		Name: "sizes", Module: "github.com/dustin/go-humanize", Version: "v1.0.1", Package: ".",
		Files: []string{"bytes.go", "si.go", "comma.go"},
		Skip:  regexp.MustCompile(`^Bytes|^SIWith|^SI$|^BigComma|^CommafWith|^init|^revfmap`),
		Entry: `package humanize

// Enter reads a size, and writes it in other ways.
func Enter(text string) (uint64, []string, error) {
	n, err := ParseBytes(text)
	if err != nil {
		return 0, nil, err
	}
	f, unit, err := ParseSI(text)
	if err != nil {
		unit = "?"
	}
	scaled, prefix := ComputeSI(f)
	return n, []string{unit, prefix, Ftoa(scaled), Comma(int64(n)), IBytes(n)}, nil
}
`,
		Seeds: [][]any{{"42 MB"}, {"1,234.5 KiB"}, {"9"}, {"3.2 k"}, {"120 EiB"}, {"7m"}},
	},
}
