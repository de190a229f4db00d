package state

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/internal/atomicfile"
	"parallax/internal/atomicfile/faultfs"
)

// faultSteps covers all kinds twice, so that each one also runs on the results of the first round.
const faultSteps = 2 * kinds

// TestCrashAtEveryStep ends the process at each change of the disk in turn: a creation, a partial
// write, a rename, a removal.
func TestCrashAtEveryStep(t *testing.T) {
	for k := int64(0); ; k++ {
		dir := filepath.Join(t.TempDir(), "out")
		fsys := faultfs.New(atomicfile.OS).CrashAfter(k)
		l := &ledger{size: 64}
		f, err := openWorkload(fsys, dir)
		for i := kinds; err == nil && i < kinds+faultSteps; i++ {
			err = step(f, i, l.size, l.announce)
		}
		if f != nil {
			f.Close() // releases the lock, as the kernel does
		}
		l.check(t, dir)
		if t.Failed() {
			t.Fatalf("after %d changes, announced:\n%s", k, strings.Join(l.lines, "\n"))
		}
		if !fsys.Crashed() {
			if k < 3*faultSteps {
				t.Fatalf("only %d changes in %d steps", k, faultSteps)
			}
			return
		}
	}
}

// TestFullDiskAtEveryByte checks a disk that is full after k bytes. The step that fails returns an
// error and the folder stays valid. The same step succeeds when there is space again, in the same
// process and in the next one.
func TestFullDiskAtEveryByte(t *testing.T) {
	const size = 8
	total := func() int64 {
		free := int64(1 << 20)
		for k := int64(0); k < free; k += 512 {
			if _, failed := fillUp(t, k, size); !failed {
				return k
			}
		}
		t.Fatal("the disk is never large enough")
		return 0
	}()
	// 11 is coprime to the records' sizes, so the repetitions of each kind of record cover all its
	// offsets.
	for k := int64(0); k < total; k += 11 {
		fillUp(t, k, size)
		if t.Failed() {
			t.Fatalf("disk of %d bytes", k)
		}
	}
}

func fillUp(t *testing.T, k int64, size int) (l *ledger, failed bool) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	fsys := faultfs.New(atomicfile.OS).Full(k)
	l = &ledger{size: size}
	again := func(err error) bool {
		if err == nil {
			return false
		}
		failed = true
		wantExit(t, err, exit.InfraCode, "disk full: free space and run the same command again; nothing announced is lost", dir)
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%v hides its cause", err)
		}
		if strings.Contains(err.Error(), atomicfile.TempPrefix) {
			t.Errorf("message names a temporary file: %v", err)
		}
		fsys.Full(1 << 40)
		return true
	}
	f, err := openWorkload(fsys, dir)
	if again(err) {
		f, err = openWorkload(fsys, dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := kinds; i < kinds+faultSteps; i++ {
		err := step(f, i, size, l.announce)
		if again(err) {
			err = step(f, i, size, l.announce)
		}
		if err != nil {
			t.Fatalf("step %d with space again: %v", i, err)
		}
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	l.check(t, dir)
	return l, failed
}

// TestTornRecord checks a full disk on which even truncating fails: the next append removes the
// partial record first.
func TestTornRecord(t *testing.T) {
	dir := t.TempDir()
	fsys := &stuck{FS: faultfs.New(atomicfile.OS)}
	f, err := openWorkload(fsys, dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.AppendStats("first"); err != nil {
		t.Fatal(err)
	}
	if err := f.Append(1, []uint64{1}); err != nil {
		t.Fatal(err)
	}
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	fsys.FS.Full(5)
	fsys.on = true
	if err := f.AppendStats("second"); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	fsys.FS.Full(5)
	if err := f.Append(1, []uint64{2}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := f.Flush(); err == nil {
			t.Fatal("flushed to a full disk")
		}
	}
	fsys.FS.Full(1 << 20)
	if err := f.AppendStats("third"); !errors.Is(err, syscall.EIO) {
		t.Errorf("appended to half a record: %v", err)
	}
	fsys.on = false
	if err := f.AppendStats("third"); err != nil {
		t.Fatal(err)
	}
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	lines, problems, err := f.ReadStats()
	if err != nil || len(problems) != 0 || len(lines) != 2 || string(lines[1]) != `"third"` {
		t.Errorf("%s, %q, %v", lines, problems, err)
	}
	var got []uint64
	problems, err = f.ReadTuples(func(_ uint8, h uint64) { got = append(got, h) })
	if err != nil || len(problems) != 0 || len(got) != 2 || got[1] != 2 {
		t.Errorf("%d, %q, %v", got, problems, err)
	}
	f.Close()
}

// stuck is a file system whose files cannot be truncated while on is set.
type stuck struct {
	*faultfs.FS
	on bool
}

type stuckFile struct {
	atomicfile.File
	fs *stuck
}

func (s *stuck) OpenFile(path string, flag int, perm fs.FileMode) (atomicfile.File, error) {
	f, err := s.FS.OpenFile(path, flag, perm)
	if err != nil {
		return nil, err
	}
	return stuckFile{f, s}, nil
}

func (f stuckFile) Truncate(size int64) error {
	if f.fs.on {
		return syscall.EIO
	}
	return f.File.Truncate(size)
}
