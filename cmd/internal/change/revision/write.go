package revision

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/change/git"
	"parallax/internal/atomicfile"
)

// Names in a folder of the cache.
const (
	filesDir = "files"
	partDir  = "files.part" // during writing
	gonePath = "files.gone" // during removal
	listFile = "files.json" // list of the contents of files, written last
)

// manifest describes the contents of a folder of the cache.
type manifest struct {
	Files map[string]string // stamps of the files, by path, to detect changes without reading them
	Notes []string          // for the user
}

// write writes files of a commit to a folder of the cache.
func (l *layout) write(ctx context.Context, files []file, dir string) error {
	return lay(ctx, dir, "a commit", func(root string) ([]string, error) { return l.fill(ctx, files, root) })
}

// lay fills a folder of the cache. It first uses another name, so the files are there completely or
// not at all.
func lay(ctx context.Context, dir, what string, fill func(root string) (notes []string, err error)) error {
	part := filepath.Join(dir, partDir)
	for _, name := range []string{listFile, partDir, gonePath} {
		if err := removeAll(filepath.Join(dir, name)); err != nil {
			return exit.Infra("emptying a folder for the files of %s: %w", what, err)
		}
	}
	failed := func(err error) error { return exit.Infra("writing the files of %s: %w", what, err) }
	notes, err := fill(part)
	if err != nil {
		os.RemoveAll(part)
		if exit.Code(err) == exit.InfraCode && ctx.Err() == nil {
			return failed(err)
		}
		return err
	}
	whole := filepath.Join(dir, filesDir)
	if err := os.Rename(whole, filepath.Join(dir, gonePath)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed(err)
	}
	if err := os.Rename(part, whole); err != nil {
		return failed(err)
	}
	removeAll(filepath.Join(dir, gonePath))
	about := manifest{Notes: notes}
	if about.Files, err = stamps(whole); err != nil {
		return failed(err)
	}
	text, err := json.Marshal(about)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(atomicfile.OS, filepath.Join(dir, listFile), text); err != nil {
		return failed(err)
	}
	return nil
}

// fill writes the files. Links come last, so nothing is written through a link that leads outside.
// A commit may contain anything.
func (l *layout) fill(ctx context.Context, files []file, root string) (notes []string, err error) {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, err
	}
	in, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	regular := func(f file) bool { return f.Mode == git.Plain || f.Mode == git.Executable }
	err = l.read(ctx, files, regular, func(f file, text io.Reader) error {
		mode := os.FileMode(0o644)
		if f.Mode == git.Executable {
			mode = 0o755
		}
		name := filepath.FromSlash(f.Path)
		if err := in.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		to, err := in.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
		if err != nil {
			return err
		}
		_, err = io.Copy(to, text)
		return errors.Join(err, to.Close())
	})
	if err != nil {
		return nil, err
	}
	if notes, err = l.adjust(files, root); err != nil {
		return nil, err
	}
	var leading, left []string
	err = l.read(ctx, files, func(f file) bool { return f.Mode == git.Symlink }, func(f file, text io.Reader) error {
		var target bytes.Buffer
		if _, err := io.Copy(&target, text); err != nil {
			return err
		}
		to, outside := l.link(f.Path, target.String())
		if outside && to == "" {
			left = append(left, f.Path)
			return nil
		}
		if outside {
			leading = append(leading, f.Path)
		}
		name := filepath.FromSlash(f.Path)
		if err := in.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		return in.Symlink(to, name)
	})
	if len(leading) > 0 {
		notes = append(notes, fmt.Sprintf("Links lead out of the repository, to what is there now: %s.", listed(leading)))
	}
	if len(left) > 0 {
		notes = append(notes, fmt.Sprintf("Links are left out that lead out of the repository: %s.", listed(left)))
	}
	return notes, err
}

// link returns the target of a repository's link in the folder of a commit. Targets in the
// repository become the commit's own files, and others keep their place.
func (l *layout) link(name, target string) (to string, outside bool) {
	at := filepath.FromSlash(path.Dir(name))
	if filepath.IsAbs(target) {
		rel, err := filepath.Rel(l.top, target)
		if l.top == "" || err != nil || !filepath.IsLocal(rel) {
			return target, true
		}
		if inside, err := filepath.Rel(at, rel); err == nil {
			return inside, false
		}
		return target, true
	}
	if filepath.IsLocal(filepath.Join(at, target)) {
		return target, false
	}
	if l.top == "" {
		return "", true
	}
	return filepath.Join(l.top, at, target), true
}

// stamps returns metadata of each file in a folder, to detect changes without reading the files.
func stamps(root string) (map[string]string, error) {
	all := map[string]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			all[strings.TrimPrefix(name, root)] = fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	return all, err
}

// intact reports whether a folder of the cache is unchanged since it was written.
func intact(dir string) bool {
	about, err := readManifest(dir)
	if err != nil || about.Files == nil {
		return false
	}
	now, err := stamps(filepath.Join(dir, filesDir))
	if err != nil || len(now) != len(about.Files) {
		return false
	}
	for name, stamp := range now {
		if about.Files[name] != stamp {
			return false
		}
	}
	return true
}

func readManifest(dir string) (about manifest, err error) {
	text, err := os.ReadFile(filepath.Join(dir, listFile))
	if err == nil {
		err = json.Unmarshal(text, &about)
	}
	return about, err
}

func notesOf(dir string) []string {
	about, _ := readManifest(dir) // intact or write has read it already
	return about.Notes
}

// removeAll removes a folder, even if a program removed its own write permission there.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			os.Chmod(name, 0o755)
		}
		return nil
	})
	return os.RemoveAll(dir)
}
