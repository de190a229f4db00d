package scaffold

import (
	"os"
	"path/filepath"

	"parallax/cmd/internal/base/exit"
	"parallax/docs"
	"parallax/internal/atomicfile"
)

// Services lists the services of continuous integration for which init writes workflows.
var Services = []string{"github"}

// workflowFolder is the folder in which GitHub looks for workflows, relative to the root of the
// repository.
const workflowFolder = ".github/workflows"

// Workflows writes the workflows of a service into the repository that holds dir. It keeps existing
// ones.
func Workflows(dir, service string) (*Result, error) {
	if service != Services[0] {
		return nil, exit.Usage("--ci %q: github is the only service that parallax writes workflows for (parallax help ci has jobs for GitLab)", service)
	}
	s := &scaffold{Options: Options{Dir: dir}, result: &Result{}}
	root := repository(dir)
	if root == "" {
		root = dir
		s.result.Notes = append(s.result.Notes, "this folder is in no git repository: GitHub reads "+workflowFolder+" at the root of one")
	}
	entries, err := docs.Workflows.ReadDir("ci")
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(root, filepath.FromSlash(workflowFolder))
	var files, there []file
	for _, e := range entries {
		text, err := docs.Workflows.ReadFile("ci/" + e.Name())
		if err != nil {
			return nil, err
		}
		f := file{e.Name(), string(text)}
		if exists(filepath.Join(folder, f.name)) {
			there = append(there, f)
			continue
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, s.checkAbsent(folder, there)
	}
	for _, f := range there {
		s.result.Notes = append(s.result.Notes, s.shown(filepath.Join(folder, f.name))+" exists already, and was left alone")
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, exit.Infra("writing a workflow: %w", err)
	}
	if err := s.put(folder, files, "a workflow"); err != nil {
		return nil, err
	}
	if !isFile(filepath.Join(root, "go.mod")) && !isFile(filepath.Join(root, "go.work")) {
		s.result.Notes = append(s.result.Notes, "the workflows fuzz ./... at the root of the repository, where there is no go.mod: edit the step Fuzz")
	}
	s.result.Next = []string{"fork parallax, or push it to a repository of yours, name that as OWNER/NAME in the repository variable PARALLAX_REPOSITORY, and commit the files"}
	return s.result, nil
}

// repository returns the root of the git repository that holds a folder. Empty means none.
func repository(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// file is a file to write.
type file struct{ name, text string }

// checkAbsent returns an error if one of the files exists.
func (s *scaffold) checkAbsent(folder string, files []file) error {
	for _, f := range files {
		if path := filepath.Join(folder, f.name); exists(path) {
			return exit.Usage("%s exists already: remove it, or move it away", s.shown(path))
		}
	}
	return nil
}

// put writes files.
func (s *scaffold) put(folder string, files []file, of string) error {
	for _, f := range files {
		path := filepath.Join(folder, f.name)
		if err := atomicfile.Write(atomicfile.OS, path, []byte(f.text)); err != nil {
			return exit.Infra("writing %s: %w", of, err)
		}
		s.done("wrote %s, %s", s.shown(path), of)
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
