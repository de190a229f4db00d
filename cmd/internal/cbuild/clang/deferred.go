package clang

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"parallax/cmd/internal/base/exit"
)

// The folder of a program with deferred variants has the kit, and for each attempted variant an
// outcome. The process that makes a variant holds its lock. The kernel releases the lock when the
// process ends. The lock file is never removed, since there could be two holders then. All files
// are written atomically and name their kit. Files from another link of the program are ignored.

// A noteKit lists in the note of a program the variants that can be made later, and their kit.
type noteKit struct {
	Path     string    `json:"path"` // absolute, at the time of the link
	SHA256   string    `json:"sha256"`
	Variants []Variant `json:"variants"`
}

// An outcome is the result of a deferred variant. Its file is written after the variant.
type outcome struct {
	Kit     string   `json:"kit"`               // digest
	SHA256  string   `json:"sha256,omitempty"`  // of the variant
	Missing string   `json:"missing,omitempty"` // why there is none
	Notes   []string `json:"notes,omitempty"`
}

// Tried returns the file that appears after an attempt to make the variant at a path.
func Tried(path string) string { return outcomeFile(filepath.Dir(path), Variant(filepath.Base(path))) }

func outcomeFile(folder string, v Variant) string { return filepath.Join(folder, string(v)+".made") }

// postpone puts a kit into the program's folder, and notes it.
func (n *note) postpone(k *kit, folder string, want []Variant) error {
	data, err := k.encode()
	path := filepath.Join(folder, kitFile)
	if err == nil {
		err = replace(path, data, 0o644)
	}
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return exit.Infra("writing what the other builds are made of: %w", err)
	}
	_ = rememberKit(digestOf(data), "") // a box cannot: see Build.Confine
	n.Later = &noteKit{Path: path, SHA256: digestOf(data), Variants: want}
	return nil
}

// clearFolder removes the files of an earlier link of the program.
func clearFolder(folder string) error {
	names := []string{filepath.Join(folder, kitFile)} // first, so that makers of variants stop
	for _, v := range Variants[1:] {
		names = append(names, outcomeFile(folder, v), filepath.Join(folder, string(v)))
	}
	for _, name := range names {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, v := range Variants[1:] {
		if len(making(folder, v)) == 0 {
			continue
		}
		if release, err := tryLock(lockName(folder, v)); err == nil {
			err = clearMaking(folder, v)
			release()
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// making returns the temporary folders of makers of a variant, including killed ones. Only the
// holder of the lock may remove them.
func making(folder string, v Variant) (found []string) {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), makingPrefix(v)) {
			found = append(found, filepath.Join(folder, e.Name()))
		}
	}
	return found
}

func makingPrefix(v Variant) string { return "." + string(v) + ".making" }

func clearMaking(folder string, v Variant) error {
	for _, name := range making(folder, v) {
		if err := os.RemoveAll(name); err != nil {
			return err
		}
	}
	return nil
}

// tried returns the outcome of a variant in a folder, or nil if it was not attempted or no longer
// exists.
func (n *noteKit) tried(folder string, v Variant) *outcome {
	o := &outcome{}
	text, err := readRegular(outcomeFile(folder, v), maxOutcome)
	if err != nil || json.Unmarshal(text, o) != nil || o.Kit != n.SHA256 {
		return nil
	}
	if o.Missing == "" {
		if sum, err := digestFile(filepath.Join(folder, string(v))); err != nil || sum != o.SHA256 {
			return nil
		}
	}
	return o
}

// lacksKit returns the reason why the kit in a folder is unusable, from its digest or error. It
// returns "" if the note names this kit.
func (n *noteKit) lacksKit(path, sum string, err error) string {
	switch {
	case err == nil && sum == n.SHA256:
		return ""
	case err == nil:
		return path + " belongs to another build of the program: link it again"
	case errors.Is(err, fs.ErrNotExist):
		return path + " is not there: move or copy the folder with the program, or link it again"
	}
	return err.Error()
}

// postponed finds the variants of a program that are made later: those that are there, and those
// that are to be made.
func (b *Build) postponed(n *noteKit) {
	if n == nil {
		return
	}
	real := b.Path
	if r, err := filepath.EvalSymlinks(b.Path); err == nil {
		real = r
	}
	b.kit = n.SHA256
	for _, v := range n.Variants {
		delete(b.Missing, v)
		for _, folder := range []string{variantFolder(real), filepath.Dir(n.Path)} {
			path, why := filepath.Join(folder, string(v)), ""
			o := n.tried(folder, v)
			if o != nil {
				why = o.Missing
			} else {
				kit := filepath.Join(folder, kitFile)
				sum, err := digestFile(kit)
				why = n.lacksKit(kit, sum, err)
			}
			if why != "" {
				if b.Missing[v] == "" {
					b.Missing[v] = why
				}
				continue
			}
			delete(b.Missing, v)
			if o != nil {
				b.Variants[v], b.notes[v] = path, o.Notes
			} else {
				b.Later[v] = path
			}
			break
		}
	}
}

// Making configures how a variant is made.
type Making struct {
	Low  bool // at low priority
	Jobs int  // concurrent compilers; 0 means as many as the machine allows
	// called once if another process makes the variant for longer than a moment; may be nil
	Waiting func()

	// Box runs the tool with arguments in a box that can write one folder, and returns its standard
	// error. Programs that Build.Confine noted need it.
	Box func(ctx context.Context, folder string, env, args []string) (said string, err error)

	agreed bool // the kit needs no consent
}

// moment is the time that another process may take before Waiting is called. pause is the interval
// of checks for its end.
const (
	moment = 3 * time.Second
	pause  = 20 * time.Millisecond
)

// Make makes a variant that Open found in Build.Later, or waits until another process has. It is
// then in Variants or, with its reason, in Missing. The notes for the user are also returned if it
// was made before. An error is from ctx.
func (b *Build) Make(ctx context.Context, v Variant, m Making) (notes []string, err error) {
	path, ok := b.Later[v]
	if !ok {
		return b.notes[v], nil
	}
	notes, err = b.make(ctx, v, path, m)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	delete(b.Later, v)
	var failed *notMade
	switch {
	case err == nil:
		b.Variants[v], b.notes[v] = path, notes
	case errors.As(err, &failed):
		b.Missing[v] = failed.why
	default:
		if disk := explainDiskError(filepath.Dir(path), err); disk != nil {
			err = disk
		}
		b.Missing[v] = err.Error()
	}
	return notes, nil
}

// notMade is the permanent reason why a variant does not build.
type notMade struct{ why string }

func (e *notMade) Error() string { return e.why }

func lockName(folder string, v Variant) string { return filepath.Join(folder, "."+string(v)+".lock") }

func (b *Build) make(ctx context.Context, v Variant, path string, m Making) (notes []string, err error) {
	folder := filepath.Dir(path)
	within, known := knownKit(b.kit)
	if known && within != "" && !m.agreed {
		return b.makeWithin(ctx, v, folder, within, m)
	}
	release, err := waitLock(ctx, lockName(folder, v), m.Waiting)
	if err != nil {
		return nil, err
	}
	defer release()
	n := &noteKit{SHA256: b.kit}
	if o := n.tried(folder, v); o != nil { // by another process
		if o.Missing != "" {
			return nil, &notMade{o.Missing}
		}
		return o.Notes, nil
	}
	kitPath := filepath.Join(folder, kitFile)
	data, err := os.ReadFile(kitPath)
	if why := n.lacksKit(kitPath, digestOf(data), err); why != "" {
		return nil, &notMade{why}
	}
	if !known && !m.agreed {
		return nil, &errTransient{"the program was linked with another cache than this one: by somebody else, on another machine, or with another HOME or XDG_CACHE_HOME. To make this build would execute what " + kitPath +
			" names: link the program again or, if you trust who linked it, run `parallax cc --make " + b.Path + "`"}
	}
	k, err := decodeKit(data)
	if err != nil {
		return nil, &notMade{kitPath + " is damaged, or of another version of parallax: link the program again"}
	}
	if err := clearMaking(folder, v); err != nil { // of processes that were killed
		return nil, err
	}
	temp, err := os.MkdirTemp(folder, makingPrefix(v)+"-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	if temp, err = filepath.Abs(temp); err != nil {
		return nil, err
	}
	program, why, notes, err := k.build(ctx, v, temp, m)
	if err != nil {
		return nil, err
	}
	o := outcome{Kit: b.kit, Missing: why, Notes: notes}
	if why == "" {
		if program, err = (&note{Variant: v}).embed(program); err != nil {
			return nil, err
		}
		o.SHA256 = digestOf(program)
	}
	if sum, err := digestFile(kitPath); err != nil || sum != b.kit {
		return nil, &errTransient{"the program was linked again meanwhile"}
	}
	if why == "" {
		if err := replace(path, program, 0o755); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(o)
	if err == nil {
		err = replace(outcomeFile(folder, v), text, 0o644)
	}
	if err == nil && why != "" {
		err = &notMade{why}
	}
	return notes, err
}

// waitLock takes a lock that other processes may hold, and waits for it no longer than ctx.
func waitLock(ctx context.Context, name string, waiting func()) (release func(), err error) {
	for start := time.Now(); ; {
		release, err := tryLock(name)
		if err == nil || !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return release, err
		}
		if waiting != nil && time.Since(start) > moment {
			waiting()
			waiting = nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// tryLock takes a lock, or fails with EWOULDBLOCK.
func tryLock(name string) (release func(), err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil && !sameFile(f, name) {
		err = syscall.EWOULDBLOCK // try the new one
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return func() { f.Close() }, nil
}

// sameFile reports whether a file still has its name, since users may remove the folder.
func sameFile(f *os.File, name string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(name)
	return err == nil && os.SameFile(mine, there)
}

// build makes a variant in a folder for temporary files, or returns the reason why it does not
// build.
func (k *kit) build(ctx context.Context, v Variant, temp string, m Making) (program []byte, why string, notes []string, err error) {
	if err := sameClang(k.Clang, k.Release); err != nil {
		return nil, "", nil, err
	}
	library, err := openLibrary(ctx, k.Clang)
	if err != nil {
		return nil, "", nil, err
	}
	if m.Jobs == 0 {
		m.Jobs = jobs(m.Low)
	}
	w := &wrapper{compiler: k.Compiler, clang: k.Clang, library: library, temp: temp, dir: existing(k.Dir, temp), background: true, low: m.Low,
		env: append(os.Environ(), "LIBRARY_PATH="+k.Path), command: &command{static: k.Static}}
	program, why, err = newMaker(w, k, v, m.Jobs).link(ctx, func(format string, args ...any) {
		notes = append(notes, fmt.Sprintf(format, args...))
	})
	return program, why, notes, err
}
