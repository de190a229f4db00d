package cache

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestBuildSpaces(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	a, err := Open("", "", "p.A", "p.B")
	if err != nil {
		t.Fatal(err)
	}
	b, err := Open("", "elsewhere", "p.A", "p.B")
	if err != nil {
		t.Fatal(err)
	}
	if a.Dir == b.Dir {
		t.Error("two campaigns build in one folder")
	}
	again, err := Open("", "", "p.A", "p.B")
	if err != nil || again.Dir != a.Dir {
		t.Fatalf("the same campaign builds in %v, %v, want %s", again, err, a.Dir)
	}
	release, err := a.Lock()
	if err != nil {
		t.Fatal(err)
	}
	entered := make(chan struct{})
	go func() {
		free, err := again.Lock()
		if err == nil {
			free()
		}
		close(entered)
	}()
	select {
	case <-entered:
		t.Error("two build at once")
	case <-time.After(50 * time.Millisecond):
	}
	release()
	<-entered

	binary := filepath.Join(a.Dir, "worker")
	if err := os.WriteFile(binary, []byte("first"), 0o755); err != nil {
		t.Fatal(err)
	}
	mine, err := a.Own(binary)
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(binary)
	if err := os.WriteFile(binary, []byte("second"), 0o755); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(mine); string(text) != "first" {
		t.Errorf("another build changes the worker in use: %q, %v", text, err)
	}
	gone := binary + "-999999999"
	os.WriteFile(gone, nil, 0o755)
	if mine, err = a.Own(binary); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(gone); err == nil {
		t.Error("the worker of a process that is gone is still there")
	}
	a.Close()
	if _, err := os.Stat(mine); err == nil {
		t.Error("the worker is still there after the end")
	}

	// b was used long ago and is in use; then nobody uses it.
	old := time.Now().Add(-2 * unusedAfter)
	if err := os.Chtimes(b.Dir, old, old); err != nil {
		t.Fatal(err)
	}
	root := filepath.Dir(a.Dir)
	prune(root, time.Now().Add(-unusedAfter))
	if _, err := os.Stat(b.Dir); err != nil {
		t.Errorf("a folder in use was removed: %v", err)
	}
	b.use.Close()
	os.Chtimes(b.Dir, old, old)
	prune(root, time.Now().Add(-unusedAfter))
	if _, err := os.Stat(b.Dir); err == nil {
		t.Error("a folder that nobody uses any more is still there")
	}
	if _, err := os.Stat(a.Dir); err != nil {
		t.Errorf("a folder used just now was removed: %v", err)
	}
}
