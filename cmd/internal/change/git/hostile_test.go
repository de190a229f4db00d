package git

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestHostileRepository checks that no command of a repository's configuration and hooks runs,
// whichever part is read. A file is missing, and would be fetched.
func TestHostileRepository(t *testing.T) {
	ctx, dir, marks := context.Background(), t.TempDir(), t.TempDir()
	script := func(name string) string { return "touch " + filepath.Join(marks, name) + "; false" }
	filter := func(name string) string { return "touch " + filepath.Join(marks, name) + "; cat" }
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	file := func(name, text string, mode os.FileMode) {
		t.Helper()
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o777)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-q")
	file(".gitattributes", "*.f filter=evil diff=evil\n", 0o666)
	file("a.f", "text\n", 0o666)
	file("missing.txt", "missing\n", 0o666)
	run("add", ".")
	run("commit", "-qm", "first")
	first := run("rev-parse", "HEAD")
	file("b.f", "more\n", 0o666)
	run("rm", "-q", "missing.txt")
	run("add", ".")
	run("commit", "-qm", "second")

	var config strings.Builder
	fmt.Fprintf(&config, "[core]\n\tfsmonitor = %q\n\tsshCommand = %q\n\tpager = %q\n\teditor = %q\n\thooksPath = hooks\n\tgitProxy = %q\n\talternateRefsCommand = %q\n",
		script("fsmonitor"), script("ssh"), script("pager"), script("editor"), script("proxy"), script("alternates"))
	fmt.Fprintf(&config, "[filter \"evil\"]\n\tclean = %q\n\tsmudge = %q\n\tprocess = %q\n\trequired = true\n", filter("clean"), filter("smudge"), script("process"))
	fmt.Fprintf(&config, "[diff]\n\texternal = %q\n[diff \"evil\"]\n\ttextconv = %q\n\tcommand = %q\n", script("external"), script("textconv"), script("command"))
	fmt.Fprintf(&config, "[log]\n\tshowSignature = true\n[gpg]\n\tprogram = %q\n[credential]\n\thelper = %q\n", filepath.Join(dir, "gpg"), "!"+script("credential"))
	fmt.Fprintf(&config, "[alias]\n\tstatus = %q\n\tread-tree = %q\n", "!"+script("alias"), "!"+script("alias"))
	config.WriteString("[remote \"origin\"]\n\turl = ssh://nowhere.invalid/x\n\tpromisor = true\n\tpartialclonefilter = blob:none\n[extensions]\n\tpartialClone = origin\n")
	file("gpg", "#!/bin/sh\n"+script("gpg")+"\n", 0o777)
	for _, hook := range []string{"post-checkout", "post-index-change", "reference-transaction", "pre-commit", "post-rewrite"} {
		file(".git/hooks/"+hook, "#!/bin/sh\n"+script(hook)+"\n", 0o777)
		file("hooks/"+hook, "#!/bin/sh\n"+script(hook)+"\n", 0o777)
	}
	missing := run("rev-parse", first+":missing.txt")
	os.Remove(filepath.Join(dir, ".git/objects", missing[:2], missing[2:]))
	known, err := os.ReadFile(filepath.Join(dir, ".git/config"))
	if err != nil {
		t.Fatal(err)
	}
	file(".git/config", strings.Replace(string(known), "repositoryformatversion = 0", "repositoryformatversion = 1", 1)+config.String(), 0o666)
	file("a.f", "changed\n", 0o666)

	r, err := Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	if dirty, err := r.Dirty(ctx); err != nil || !dirty {
		t.Errorf("dirty %t, %v", dirty, err)
	}
	if changed, untracked, err := r.Uncommitted(ctx); err != nil || len(changed) == 0 || len(untracked) == 0 {
		t.Errorf("%q, %q, %v", changed, untracked, err)
	}
	list, err := r.Commits(ctx, "", "HEAD")
	if err != nil || len(list) != 2 {
		t.Fatalf("%q, %v", list, err)
	}
	for _, hash := range list {
		if _, err := r.Describe(ctx, hash); err != nil {
			t.Error(err)
		}
		entries, err := r.Entries(ctx, hash)
		if err != nil {
			t.Fatal(err)
		}
		err = r.Blobs(ctx, entries, func(e Entry, text io.Reader) error {
			got, err := io.ReadAll(text)
			if e.Path == "a.f" && !bytes.Equal(got, []byte("text\n")) {
				t.Errorf("%s: %q", e.Path, got)
			}
			return err
		})
		if (err != nil) != (hash == first) {
			t.Errorf("files of %s: %v", hash, err)
		}
		tree := filepath.Join(t.TempDir(), "tree")
		err = r.Checkout(ctx, hash, tree)
		if (err != nil) != (hash == first) {
			t.Errorf("checkout of %s: %v", hash, err)
		}
		if text, err := os.ReadFile(filepath.Join(tree, "a.f")); hash != first && string(text) != "text\n" {
			t.Errorf("checked out: %q, %v", text, err)
		}
	}
	r.Skipped(ctx)
	ran, err := os.ReadDir(marks)
	for _, m := range ran {
		t.Errorf("the repository ran its %s", m.Name())
	}
	if err != nil {
		t.Error(err)
	}
}
