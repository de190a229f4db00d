package buildroot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gomod"
)

// setEdited copies go.mod, completes the copy, and adds the versions asked for.
func (r *Root) setEdited(ctx context.Context, versioned []funcname.Func) error {
	switch nowhere := r.Env.GOMOD == "" || r.Env.GOMOD == os.DevNull; {
	case nowhere && len(versioned) == 0:
		return exit.Usage("%s holds no go.mod whose copy could name other versions: it is a workspace's folder; start the campaign in a folder of one of its modules", r.Dir)
	case nowhere:
		return exit.Usage("%s: a function at a version, together with local ones, needs a go.mod, and %s holds none: run parallax in a folder of one of the workspace's modules", versioned[0].Written, r.Dir)
	}
	dir := filepath.Join(r.Out, "mod")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return exit.Infra("making the folder of the harness: %w", err)
	}
	file := filepath.Join(dir, "go.mod")
	r.Kind, r.dir, r.flags = Edited, r.Dir, []string{"-modfile=" + file}
	r.env = []string{"GOWORK=off", "GOFLAGS=" + gocommand.ModuleFlags(r.Env.GOFLAGS)}
	text, err := r.completeMod(ctx, dir)
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(filepath.Dir(r.Env.GOMOD), "go.sum"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return exit.Usage("reading go.sum: %w", err)
	}
	if work := r.Env.Workspace(); work != "" {
		extra, _ := os.ReadFile(work + ".sum")
		sum = append(sum, extra...)
	}
	return r.get(ctx, file, versioned, text, string(sum))
}

// Replace takes modules from the places in Instead, by a copy of go.mod. It keeps the flags of
// UseModule.
func (r *Root) Replace(ctx context.Context) error {
	if len(r.Instead) == 0 {
		return nil
	}
	flags := r.flags
	if err := r.setEdited(ctx, nil); err != nil {
		return err
	}
	r.flags = append(r.flags, flags...)
	return nil
}

// modFile is the output of `go mod edit -json` and `go work edit -json`.
type modFile struct {
	Replace []struct {
		Old, New struct{ Path, Version string }
	}
}

// completeMod returns the user's go.mod with replacement folders made absolute and, in a workspace,
// with the workspace's modules and replacements written into it.
func (r *Root) completeMod(ctx context.Context, dir string) (string, error) {
	text, err := os.ReadFile(r.Env.GOMOD)
	if err != nil {
		return "", exit.Usage("reading go.mod: %w", err)
	}
	draft := filepath.Join(dir, "draft.mod")
	if err := os.WriteFile(draft, text, 0o666); err != nil {
		return "", exit.Infra("writing a copy of go.mod: %w", err)
	}
	defer os.Remove(draft)
	var edits []string
	replaces := func(base string, args ...string) error {
		out, errs, err := gocommand.Run(ctx, r.plain(args...))
		if err != nil {
			return r.Env.Explain("reading "+base, errs, err)
		}
		var m modFile
		if err := json.Unmarshal(out, &m); err != nil {
			return fmt.Errorf("reading %s: %w", base, err)
		}
		for _, p := range m.Replace {
			if r.InsteadOf(p.Old.Path) != nil {
				edits = append(edits, "-dropreplace="+gomod.WithVersion(p.Old.Path, p.Old.Version))
				continue
			}
			if p.New.Version == "" && !filepath.IsAbs(p.New.Path) {
				p.New.Path = filepath.Join(filepath.Dir(base), p.New.Path)
			}
			edits = append(edits, "-replace="+gomod.WithVersion(p.Old.Path, p.Old.Version)+"="+gomod.WithVersion(p.New.Path, p.New.Version))
		}
		return nil
	}
	if err := replaces(r.Env.GOMOD, "mod", "edit", "-json", r.Env.GOMOD); err != nil {
		return "", err
	}
	if work := r.Env.Workspace(); work != "" {
		if err := replaces(work, "work", "edit", "-json", work); err != nil {
			return "", err
		}
		out, errs, err := gocommand.Run(ctx, r.plain("list", "-m", "-json"))
		if err != nil {
			return "", r.Env.Explain("listing the workspace's modules", errs, err)
		}
		mods, err := gocommand.DecodeStream[gocommand.Module](out)
		if err != nil {
			return "", fmt.Errorf("listing the workspace's modules: %w", err)
		}
		for _, m := range mods {
			if m.GoMod != r.Env.GOMOD {
				edits = append(edits, "-replace="+m.Path+"="+m.Dir, "-require="+m.Path+"@v0.0.0-00010101000000-000000000000")
			}
		}
	}
	for _, i := range r.Instead {
		edits = append(edits, i.Edits()...)
	}
	if len(edits) > 0 {
		args := append(append([]string{"mod", "edit"}, edits...), draft)
		if _, errs, err := gocommand.Run(ctx, r.plain(args...)); err != nil {
			return "", r.Env.Explain("completing a copy of go.mod", errs, err)
		}
	}
	text, err = os.ReadFile(draft)
	return string(text), err
}
