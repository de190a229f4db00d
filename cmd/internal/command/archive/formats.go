package archive

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/gosyntax"
	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/show/formats"
)

// The data for continuous integration (package formats): campaigns with the records of their
// findings, and the places of these in the repository.

// workspaces lists the variables in which services name their checkout: GitHub, GitLab, Jenkins,
// Buildkite.
var workspaces = []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR", "WORKSPACE", "BUILDKITE_BUILD_CHECKOUT_PATH"}

// Formatted returns the campaign for package formats. live is the summary of the run that has just
// ended; nil means the one on disk.
func (p *Campaign) Formatted(live *finding.Summary) (formats.Target, error) {
	t := formats.Target{Name: p.Config.Target, Folder: p.Shown(), Summary: live}
	if live == nil {
		s, err := p.Summary()
		if err != nil {
			return t, err
		}
		t.Summary = s
	}
	known, err := p.findings()
	if err != nil {
		return t, err
	}
	dir := p.Options.Dir
	repository := formats.Open(dir, workspace(dir), exists)
	instead := p.harness(repository)
	here, _ := os.Getwd() // without it, paths are absolute
	for _, row := range t.Summary.Findings.Buckets {
		f := formats.Placed{Entry: finding.Entry{Row: row}, Where: repository.Where(&row, instead)}
		if b := p.bucket(row.ID); b != nil {
			b = known.Open(b)
			f.Record = b.Best
			f.Page = known.Page(b)
			f.Page.Here, f.Page.Older = here, row.Older
			f.Page.Folder = filepath.Join(p.Shown(), "findings", b.ID, b.BestHash)
			f.Page.Replay = findings.ReplayCommand(p.Shown(), b.ID)
		}
		if at, ok := repository.File(filepath.Join(p.folder.Dir(), "findings", row.ID)); ok && f.Where.File == "" {
			f.Where.File, f.Where.Stand = at, "the finding's folder, which is not in the repository"
		}
		f.Related = repository.Related(&row, t.Summary.Programs, f.Where)
		t.Findings = append(t.Findings, f)
	}
	return t, nil
}

// Bare returns a target with a readable summary and no other readable file.
func Bare(s *finding.Summary, folder string) formats.Target {
	t := formats.Target{Name: s.Target, Folder: folder, Summary: s}
	for _, row := range s.Findings.Buckets {
		t.Findings = append(t.Findings, formats.Placed{Entry: finding.Entry{Row: row}})
	}
	return t
}

// workspace returns the checkout of the service if it holds dir.
func workspace(dir string) string {
	for _, name := range workspaces {
		if path := os.Getenv(name); filepath.IsAbs(path) {
			if rel, err := filepath.Rel(path, dir); err == nil && filepath.IsLocal(rel) {
				return path
			}
		}
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// harness returns the place that replaces that of a finding outside of the repository: the fuzz
// test, the configuration, the C harness or go.mod. It is empty if there is none.
func (p *Campaign) harness(r formats.Repository) formats.Anchor {
	place := func(path string, line int, stand string) (formats.Anchor, bool) {
		file, ok := r.File(path)
		return formats.Anchor{File: file, Line: line, Stand: stand}, ok
	}
	options := p.Config.Options
	if dir, name := options["package_dir"], options["fuzz"]; dir != "" && name != "" {
		if file, line := declaration(dir, name); file != "" {
			if at, ok := place(file, line, "the fuzz test"); ok {
				return at
			}
		}
	}
	if path := options["config"]; path != "" {
		if at, ok := place(path, 1, "the configuration"); ok {
			return at
		}
	}
	if options["harness"] != "" || options["harnesses"] != "" {
		for _, b := range p.buckets {
			for _, program := range b.Best.Programs {
				if found := entered().FindStringSubmatch(program.Stack); found != nil {
					line, _ := strconv.Atoi(found[2])
					if at, ok := place(found[1], line, "the harness"); ok {
						return at
					}
				}
			}
		}
	}
	for dir := p.Home(); ; dir = filepath.Dir(dir) {
		mod := filepath.Join(dir, "go.mod")
		if data, err := os.ReadFile(mod); err == nil {
			line, stand := p.requirement(string(data))
			if at, ok := place(mod, line, stand); ok {
				return at
			}
		}
		if dir == filepath.Dir(dir) || dir == r.Root {
			return formats.Anchor{}
		}
	}
}

// entered matches the frame of a harness in a stack.
var entered = lazyregexp.New(`LLVMFuzzerTestOneInput[^\n]*?\s(\S+):(\d+)`)

// requirement returns the line of go.mod that requires the module of a program.
func (p *Campaign) requirement(mod string) (line int, stand string) {
	for _, program := range p.Config.Identity.Programs {
		if program.Module == "" || program.Version == "" {
			continue
		}
		for i, text := range strings.Split(mod, "\n") {
			words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(text), "require "))
			if len(words) > 1 && words[0] == program.Module {
				return i + 1, "the requirement of " + escape.Text(program.Module)
			}
		}
	}
	return 1, "go.mod"
}

// declaration finds the declaration of a function in a package's tests.
func declaration(dir, name string) (file string, line int) {
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	for _, file := range files {
		set := token.NewFileSet()
		parsed, err := gosyntax.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == name {
				return file, set.Position(f.Pos()).Line
			}
		}
	}
	return "", 0
}
