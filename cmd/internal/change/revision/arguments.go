package revision

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/change/git"
)

// ExplainArguments returns an error for arguments that are not packages in the user's folder. They
// may be revisions, which belong to flags, or packages of a nested module. It returns nil for other
// arguments.
func ExplainArguments(ctx context.Context, dir string, args []string) error {
	for _, arg := range args {
		if module := nested(dir, arg); module != "" {
			return exit.Usage("%s is in another module, whose go.mod is in %s: run parallax regress in that folder", arg, module)
		}
	}
	repo, err := git.Open(ctx, dir)
	if err != nil {
		return nil
	}
	revs := args
	if base, head, ok := strings.Cut(strings.Join(args, " "), ".."); ok && len(args) == 1 {
		revs = []string{base, head}
	}
	if len(revs) == 0 || len(revs) > 2 {
		return nil
	}
	for _, rev := range revs {
		if _, ok, err := repo.Find(ctx, rev); !ok || err != nil || strings.HasPrefix(rev, ".") {
			return nil
		}
	}
	if len(revs) == 1 {
		return exit.Usage("%s is a revision, and arguments are packages: write --base %s", revs[0], revs[0])
	}
	return exit.Usage("%s are revisions, and arguments are packages: write --base %s --head %s", strings.Join(revs, " and "), revs[0], revs[1])
}

// nested returns the folder of the nested module, below dir, that contains a folder. It returns ""
// if the folder belongs to the module of dir.
func nested(dir, arg string) string {
	arg = filepath.FromSlash(strings.TrimSuffix(arg, "/..."))
	if !filepath.IsLocal(arg) || !strings.HasPrefix(filepath.ToSlash(arg)+"/", "./") {
		return ""
	}
	for at := filepath.Clean(arg); at != "."; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(dir, at, "go.mod")); err == nil {
			return filepath.ToSlash(at)
		}
	}
	return ""
}
