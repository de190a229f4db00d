package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"

	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// workflow holds the checked parts of a workflow of GitHub Actions.
type workflow struct {
	On          map[string]any
	Permissions map[string]string
	Jobs        map[string]struct {
		Permissions map[string]string
		Steps       []workflowStep
	}
}

type workflowStep struct {
	Name string
	If   string
	Uses string
	With map[string]any
	Env  map[string]string
	Run  string
}

func readYAML(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalWithOptions(data, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// TestWorkflow checks that the workflows in docs/ci match docs/guides/ci.md.
func TestWorkflow(t *testing.T) {
	t.Run("fuzz", func(t *testing.T) { checkWorkflow(t, "fuzz", "pull_request", "schedule", "workflow_dispatch") })
	t.Run("regress", func(t *testing.T) { checkWorkflow(t, "regress", "pull_request") })
}

func checkWorkflow(t *testing.T, name string, events ...string) {
	t.Helper()
	var w workflow
	readYAML(t, "../../docs/ci/parallax-"+name+".yml", &w)
	for _, event := range events {
		if _, ok := w.On[event]; !ok {
			t.Errorf("it does not run on %s", event)
		}
	}
	job := w.Jobs[name]
	if w.Permissions["contents"] != "read" || len(w.Permissions) != 1 || job.Permissions["security-events"] != "write" || len(job.Permissions) != 2 {
		t.Errorf("permissions %v, of the job %v", w.Permissions, job.Permissions)
	}
	uses := map[string]workflowStep{}
	for _, s := range job.Steps {
		action, release, _ := strings.Cut(s.Uses, "@")
		switch {
		case s.Uses != "" && !regexp.MustCompile(`^v\d+$`).MatchString(release):
			t.Errorf("%s names no release", s.Uses)
		case s.Uses == "" && s.Run == "":
			t.Errorf("step %q does nothing", s.Name)
		case strings.Contains(s.Run, "${{"): // what a pull request says would become a part of the script
			t.Errorf("step %q has an expression in its script", s.Name)
		}
		if _, ok := uses[action]; !ok {
			uses[action] = s
		}
	}
	if fmt.Sprint(uses["actions/checkout"].With["fetch-depth"]) != "0" {
		t.Error("not all commits are fetched")
	}
	restore, save := uses["actions/cache/restore"], uses["actions/cache/save"]
	if restore.With["path"] != ".parallax" || save.With["path"] != ".parallax" || restore.With["key"] != save.With["key"] ||
		!strings.HasPrefix(fmt.Sprint(save.With["key"]), fmt.Sprint(restore.With["restore-keys"])) {
		t.Errorf("what is saved is not restored: %v, %v", restore.With, save.With)
	}
	for _, action := range []string{"actions/cache/save", "github/codeql-action/upload-sarif", "actions/upload-artifact"} {
		if !strings.HasPrefix(uses[action].If, "always()") {
			t.Errorf("%s does not run after findings: if %q", action, uses[action].If)
		}
	}
	if uses["actions/upload-artifact"].With["include-hidden-files"] != true {
		t.Error("the artifact would be without .parallax")
	}
}

// install is the command by which the examples install parallax, into GOBIN. The first of them
// links the binary. The go command then sees for the others that it is up to date.
const install = "go -C .tools/parallax install ./cmd/parallax"

// scratch is a module with a FuzzXxx that fails, in a repository that has parallax where the
// examples check it out.
func scratch(t *testing.T, tool *tool) (dir string, env []string) {
	t.Helper()
	dir = moduletest.Dir(t)
	for name, text := range map[string]string{
		".git/HEAD": "ref: refs/heads/main\n",
		"go.mod":    "module example.com/m\n\ngo 1.24\n",
		"p/p.go":    "package p\n\n// Short reports whether b is short.\nfunc Short(b []byte) bool { return len(b) < 3 }\n",
		"p/p_test.go": `package p

import "testing"

func FuzzShort(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if !Short(b) {
			t.Fatal("not short")
		}
	})
}
`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".tools"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(tool.root), filepath.Join(dir, ".tools", "parallax")); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(moduletest.Scratch(), "bin")
	env = append(tool.env, "GOBIN="+bin, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "CI=true")
	installed.Do(func() { shell(t, dir, env, install).exits(t, 0) })
	return dir, env
}

var installed sync.Once

// shell runs a script as a runner does.
func shell(t *testing.T, dir string, env []string, script string) *result {
	t.Helper()
	cmd := exec.Command("bash", "-e", "-o", "pipefail", "-c", script)
	cmd.Dir, cmd.Env = dir, env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return &result{code: cmd.ProcessState.ExitCode(), stdout: stdout.Bytes(), stderr: stderr.Bytes(), dir: dir}
}

// TestWorkflowSteps runs the scripts of the workflow for a pull request, and for the nightly run
// after it. It checks that they leave the files that the other steps upload.
func TestWorkflowSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	tool := newTool(t)
	dir, env := scratch(t, tool)
	var w workflow
	readYAML(t, "../../docs/ci/parallax-fuzz.yml", &w)
	var kept workflowStep
	for _, s := range w.Jobs["fuzz"].Steps {
		if strings.HasPrefix(s.Uses, "actions/upload-artifact@") {
			kept = s
		}
	}
	summary := filepath.Join(t.TempDir(), "summary.md")
	env = append(env, "GITHUB_ACTIONS=true", "GITHUB_WORKSPACE="+dir, "GITHUB_STEP_SUMMARY="+summary, "GITHUB_RUN_ID=4711")
	for _, event := range []struct {
		name string
		code int
	}{{"pull_request", 1}, {"schedule", 1}, {"mended", 0}} {
		os.Remove(summary)
		if event.name == "mended" {
			if err := os.WriteFile(filepath.Join(dir, "p", "p.go"), []byte("package p\n\nfunc Short(b []byte) bool { return true }\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		there, fuzzed := false, false
		for _, s := range w.Jobs["fuzz"].Steps {
			if s.Run == "" {
				continue
			}
			own := env
			for name, value := range s.Env {
				if name != "BUDGET" || !strings.Contains(value, "'200000x'") {
					t.Fatalf("step %q: the test does not know the variable %s", s.Name, name)
				}
				own = append(own, "BUDGET=3000x")
			}
			r := shell(t, dir, own, s.Run)
			if !strings.Contains(s.Run, "parallax fuzz") {
				r.exits(t, 0)
				there = there || s.Run == install
				continue
			}
			fuzzed = true
			r.exits(t, event.code)
			if found := strings.Contains(string(r.stderr), "::error file=p/p_test.go,line=8,title=failure in p.FuzzShort::"); found != (event.code == 1) {
				t.Errorf("%s: annotations\n%s", event.name, r.stderr)
			}
		}
		text, err := os.ReadFile(summary)
		if !there || !fuzzed || err != nil || strings.Count(string(text), "## parallax fuzz: ") != 1 {
			t.Errorf("%s: installed %v, fuzzed %v, summary %q, %v", event.name, there, fuzzed, text, err)
		}
		artifact := t.TempDir()
		for _, pattern := range strings.Fields(fmt.Sprint(kept.With["path"])) {
			found, _ := filepath.Glob(filepath.Join(dir, pattern))
			if len(found) == 0 {
				t.Errorf("%s: there is no %s to upload", event.name, pattern)
			}
			for _, path := range found {
				copyTo(t, dir, path, artifact)
			}
		}
		if event.code == 1 { // the artifact is a campaign to look at and to run again, in a clone
			copyTo(t, dir, filepath.Join(dir, "go.mod"), artifact)
			copyTo(t, dir, filepath.Join(dir, "p"), artifact)
			shell(t, artifact, env, "parallax show && parallax replay --trust").exits(t, 1)
		}
	}
}

// TestRegressSteps runs the scripts of the workflow for pull requests in the merge of one. It
// checks that they report the new failure, and nothing of commits that the base branch got in the
// meantime. It does the same with the job for GitLab.
func TestRegressSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	tool := newTool(t)
	dir, env := scratch(t, tool)
	if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
		t.Fatal(err)
	}
	summary := filepath.Join(t.TempDir(), "summary.md")
	env = append(env, "GITHUB_ACTIONS=true", "GITHUB_WORKSPACE="+dir, "GITHUB_STEP_SUMMARY="+summary, "GITHUB_RUN_ID=4711", "GIT_CONFIG_GLOBAL=/dev/null")
	shell(t, dir, env, `sed -i 's/len(b) < 3/true/' p/p.go
git init -q -b main . && git config user.name a && git config user.email a@example.com
git add go.mod p && git commit -q -m first
git checkout -q -b topic
sed -i 's/return true/return len(b) < 3/' p/p.go
git commit -q -a -m second
git checkout -q main
sed -i 's/b \[\]byte) {/b []byte) {\n\t\tOthers(b)/' p/p_test.go
printf 'package p\n\nfunc Others(b []byte) int { return len(b) }\n' >p/others.go
git add p && git commit -q -m others
git checkout -q --detach && git merge -q --no-ff -m merge topic`).exits(t, 0)
	var w workflow
	readYAML(t, "../../docs/ci/parallax-regress.yml", &w)
	there, compared := false, false
	for _, s := range w.Jobs["regress"].Steps {
		if s.Run == "" {
			continue
		}
		r := shell(t, dir, env, strings.Replace(s.Run, "500000x", "3000x", 1))
		if !strings.Contains(s.Run, "parallax regress") {
			r.exits(t, 0)
			there = there || s.Run == install
			continue
		}
		compared = true
		r.exits(t, 1)
		if !strings.Contains(string(r.stderr), "::error file=p/p_test.go,line=9,title=failure in p.FuzzShort::") {
			t.Errorf("annotations\n%s", r.stderr)
		}
		if strings.Contains(string(r.stderr), "not committed") {
			t.Errorf("the checkout counts as changed\n%s", r.stderr)
		}
	}
	text, err := os.ReadFile(summary)
	if !there || !compared || err != nil {
		t.Fatalf("installed %v, compared %v, %v", there, compared, err)
	}
	for _, part := range []string{"## parallax regress: 1 new failure", "The change, in `p.FuzzShort`: 1 of 1 change points executed", "| new |"} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the summary lacks %q\n%s", part, text)
		}
	}
	for _, name := range []string{"parallax.sarif", "parallax.xml"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	job := readJob(t, "regress")
	if job.Cache.Key != "parallax-regress-1-$CI_MERGE_REQUEST_IID" {
		t.Errorf("cache %+v", job.Cache)
	}
	script := strings.Replace(job.run(), "500000x", "300x", 1)
	env = append(env, "GITHUB_ACTIONS=", "CI_PIPELINE_ID=4711")
	r := shell(t, dir, append(env, "CI_MERGE_REQUEST_EVENT_TYPE=merged_result"), script)
	r.exits(t, 1)
	if !strings.Contains(string(r.stderr), "1 of 1 change point executed") {
		t.Errorf("the job for GitLab\n%s", r.stderr)
	}
	shell(t, dir, env, "git checkout -q topic").exits(t, 0)
	first := strings.TrimSpace(string(shell(t, dir, env, "git rev-parse main~1").stdout))
	r = shell(t, dir, append(env, "CI_MERGE_REQUEST_EVENT_TYPE=detached", "CI_MERGE_REQUEST_DIFF_BASE_SHA="+first), strings.Replace(script, "--base", "--plan --base", 1))
	r.exits(t, 0)
	if !strings.Contains(string(r.stderr), "old  "+first[:7]) || !strings.Contains(string(r.stderr), "1 change point in 1 function") {
		t.Errorf("the job for GitLab before the merge\n%s", r.stderr)
	}
}

// copyTo copies a file or a folder below dir to the same place below to.
func copyTo(t *testing.T, dir, path, to string) {
	t.Helper()
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		err = os.CopyFS(filepath.Join(to, rel), os.DirFS(path))
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(filepath.Join(to, rel)), 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(to, rel), data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// gitlabJob holds the checked parts of a job of GitLab.
type gitlabJob struct {
	Extends      string
	BeforeScript []string `yaml:"before_script"`
	Script       []string
	AfterScript  []string `yaml:"after_script"`
	Cache        struct {
		Key    string
		Paths  []string
		Policy string
	}
	Artifacts struct {
		When    string
		Paths   []string
		Reports struct{ JUnit, CodeQuality string }
	}
}

// readJob reads a job of GitLab, with what it takes from the one that it extends.
func readJob(t *testing.T, name string) gitlabJob {
	t.Helper()
	var jobs map[string]gitlabJob
	readYAML(t, "../../docs/ci/gitlab-ci.yml", &jobs)
	job := jobs[name]
	common, ok := jobs[job.Extends]
	if !ok {
		t.Fatalf("job %s extends %q", name, job.Extends)
	}
	job.BeforeScript, job.AfterScript, job.Artifacts = common.BeforeScript, common.AfterScript, common.Artifacts
	if len(job.Cache.Paths) != 1 || job.Cache.Paths[0] != ".parallax" {
		t.Errorf("job %s: cache %+v", name, job.Cache)
	}
	if !slices.Contains(job.BeforeScript, install) {
		t.Errorf("job %s does not install parallax: %q", name, job.BeforeScript)
	}
	return job
}

// run returns the script that GitLab makes from two keys of a job.
func (j *gitlabJob) run() string {
	return strings.Join(append(slices.Clone(j.BeforeScript), j.Script...), "\n")
}

// TestGitLabJob checks that the scripts of the job for GitLab run, and leave the reports that it
// names.
func TestGitLabJob(t *testing.T) {
	job := readJob(t, "fuzz")
	if job.Artifacts.When != "always" || job.Cache.Policy != "$CAMPAIGNS" {
		t.Errorf("artifacts %+v, cache %+v", job.Artifacts, job.Cache)
	}
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	tool := newTool(t)
	dir, env := scratch(t, tool)
	env = append(env, "BUDGET=3000x", "CI_PROJECT_DIR="+dir, "CI_PIPELINE_ID=4711", "PARALLAX_REPOSITORY=nowhere")
	shell(t, dir, env, job.run()).exits(t, 1)
	shell(t, dir, env, strings.Join(job.AfterScript, "\n")).exits(t, 0)
	data, err := os.ReadFile(filepath.Join(dir, job.Artifacts.Reports.CodeQuality))
	if err != nil {
		t.Fatal(err)
	}
	var issues []struct {
		Description, Fingerprint, Severity string
		CheckName                          string `json:"check_name"`
		Location                           struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	if err := json.Unmarshal(data, &issues); err != nil {
		t.Fatal(err)
	}
	if len(issues) != 1 || issues[0].CheckName != "failure" || issues[0].Severity != "major" || issues[0].Location.Path != "p/p_test.go" || issues[0].Location.Lines.Begin != 8 || issues[0].Fingerprint == "" {
		t.Errorf("%s", data)
	}
	if _, err := os.Stat(filepath.Join(dir, job.Artifacts.Reports.JUnit)); err != nil {
		t.Error(err)
	}
}
