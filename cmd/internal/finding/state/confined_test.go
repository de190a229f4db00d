package state

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/finding"
	"parallax/internal/atomicfile"
	"parallax/internal/input"
)

// strange replaces a file or folder of a campaign by something else, and returns the target of a
// link.
var strange = map[string]func(t *testing.T, path, outside string){
	"link to a file":   func(t *testing.T, path, outside string) { link(t, filepath.Join(outside, "file"), path) },
	"link to a folder": func(t *testing.T, path, outside string) { link(t, filepath.Join(outside, "folder"), path) },
	"relative link": func(t *testing.T, path, outside string) {
		rel, err := filepath.Rel(filepath.Dir(path), filepath.Join(outside, "file"))
		if err != nil {
			t.Fatal(err)
		}
		link(t, rel, path)
	},
	"dangling link": func(t *testing.T, path, outside string) { link(t, filepath.Join(outside, "new"), path) },
	"pipe": func(t *testing.T, path, outside string) {
		if err := syscall.Mkfifo(path, 0o644); err != nil {
			t.Fatal(err)
		}
	},
	"socket": func(t *testing.T, path, outside string) {
		fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer syscall.Close(fd)
		t.Chdir(filepath.Dir(path)) // the path of a socket is short
		if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: filepath.Base(path)}); err != nil {
			t.Fatal(err)
		}
	},
	"huge file": func(t *testing.T, path, outside string) {
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 1<<40); err != nil { // without blocks
			t.Skip(err)
		}
	},
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

// TestFolderOfAStranger replaces each file and folder of a campaign's folder by something else. All
// operations end without a panic, and nothing outside of the folder changes.
func TestFolderOfAStranger(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	f, _, err := Open(atomicfile.OS, model, testConfig())
	if err != nil {
		t.Fatal(err)
	}
	everything(f)
	f.Close()
	var names []string
	err = filepath.WalkDir(model, func(path string, d os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(model, path); rel != "." {
			names = append(names, rel)
		}
		return err
	})
	if err != nil || len(names) < 15 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		for what, put := range strange {
			t.Run(name+" is a "+what, func(t *testing.T) {
				top := t.TempDir()
				outside, dir := filepath.Join(top, "outside"), filepath.Join(top, "campaign")
				for path, text := range map[string]string{"file": "mine", "folder/below": "mine", "folder/" + atomicfile.TempPrefix + "0123456789abcdef": "mine"} {
					path = filepath.Join(outside, path)
					if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.CopyFS(dir, os.DirFS(model)); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(dir, name)
				if err := os.RemoveAll(path); err != nil {
					t.Fatal(err)
				}
				put(t, path, outside)
				before := snapshotOf(t, outside)
				var last *Folder
				for _, open := range []func() (*Folder, error){
					func() (*Folder, error) { return OpenExisting(atomicfile.OS, dir) },
					func() (*Folder, error) { return Reopen(atomicfile.OS, dir) },
					func() (*Folder, error) { f, _, err := Open(atomicfile.OS, dir, testConfig()); return f, err },
				} {
					f, err := open()
					if err == nil {
						everything(f)
						f.Close()
						last = f
					}
					if after := snapshotOf(t, outside); after != before {
						t.Fatalf("outside was\n%s and is\n%s", before, after)
					}
				}
				if last != nil {
					last.Discard()
				}
				if after := snapshotOf(t, outside); after != before {
					t.Fatalf("outside was\n%s and is\n%s", before, after)
				}
			})
		}
	}
}

// everything reads and writes all files of a folder. It ignores errors.
func everything(f *Folder) {
	f.Build("build")
	f.Append(1, []uint64{1, 2})
	f.Flush()
	f.ReadTuples(func(uint8, uint64) {})
	f.Load()
	f.Save(Snapshot{BuildID: "build", Counters: map[string]uint64{Inputs: 1}})
	f.AppendStats(map[string]int{"inputs": 1})
	f.ReadStats()
	f.Log(time.Now).Write([]byte("line\n"))
	f.WriteSummary([]byte("{}"))
	f.ReadSummary()
	f.PutPending("candidate", []byte("{}"))
	f.Pending()
	files := map[string][]byte{"input": []byte("x"), "sub/file": []byte("y")}
	f.WriteFinding("bucket", "hash", files)
	f.UpdateFinding("bucket", "hash", files)
	f.WriteBucket(finding.Bucket{ID: "bucket"})
	f.ReadFindings()
	f.ReadFinding("bucket", "hash", "input")
	for _, open := range []func(FS, string, input.Shape) (*corpus.Store, error){corpus.OpenExisting, corpus.Open} {
		s, err := open(f.FS(), f.CorpusDir(), input.Shape{input.Bytes})
		if err != nil {
			continue
		}
		s.Put([]byte("an input"), corpus.Meta{})
		s.Load()
	}
}

func snapshotOf(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			b.WriteString(path + "\n")
			return err
		}
		data, err := os.ReadFile(path)
		b.WriteString(path + " " + string(data) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPermissionsOfAFolder checks that other users cannot access a campaign's new folder, and that
// an existing folder keeps its permissions.
func TestPermissionsOfAFolder(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o022))
	top := t.TempDir()
	mine := filepath.Join(top, "mine")
	if err := os.Mkdir(mine, 0o755); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]os.FileMode{mine: 0o755, filepath.Join(top, "above", "new"): 0o700, filepath.Join(top, "above"): 0o755} {
		if dir != filepath.Join(top, "above") {
			f, _, err := Open(atomicfile.OS, dir, testConfig())
			if err != nil {
				t.Fatal(err)
			}
			f.Close()
		} else if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", dir, info.Mode(), err)
		}
	}
}
