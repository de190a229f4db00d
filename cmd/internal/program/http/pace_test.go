package http

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parallax/cmd/internal/program/programtest"
)

// TestRateOfAll checks that executors of one target share its rate, whatever paths they request.
// Those of other targets do not.
func TestRateOfAll(t *testing.T) {
	var n atomic.Int64
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { n.Add(1) })
	clock, dir := newClock(), t.TempDir()
	var all []*Executor
	for i := range 3 {
		all = append(all, mustOpen(t, Config{URL: fmt.Sprintf("%s/%d", s.URL, i), Rate: 4, Limits: testLimits(), TempDir: dir}, clock))
	}
	begin := clock.now
	for range 3 {
		for _, e := range all {
			programtest.Execute(t, e, "a", "b")
		}
	}
	if took := clock.now.Sub(begin); took != 17*time.Second/4 || n.Load() != 18 {
		t.Errorf("%d requests take %v, want 4.25s", n.Load(), took)
	}
	other := mustOpen(t, Config{URL: s.URL, Rate: 4, Limits: testLimits(), TempDir: t.TempDir()}, clock)
	begin = clock.now
	if programtest.Execute(t, other, "a"); clock.now != begin {
		t.Error("another target waits")
	}
}

// frozenClock is a clock that does not advance. It reports the requested sleeps.
type frozenClock struct {
	clock
	slept func(time.Duration)
}

func (s frozenClock) Sleep(_ context.Context, d time.Duration, _ <-chan struct{}) error {
	s.slept(d)
	return nil
}

// TestPaceRace checks that no two requests of many processes get the same slot, and no slot is left
// out.
func TestPaceRace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pace")
	var mu sync.Mutex
	var slots []time.Duration
	clock := frozenClock{newClock(), func(d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		slots = append(slots, d)
	}}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			p := pace{every: time.Second, path: path}
			for range 20 {
				if err := p.wait(context.Background(), clock); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	slices.Sort(slots)
	for i, d := range slots { // the first does not wait
		if d != time.Duration(i+1)*time.Second {
			t.Fatalf("request %d waits %v", i+1, d)
		}
	}
	if len(slots) != 159 {
		t.Errorf("%d requests wait", len(slots))
	}
}

// TestPaceFile checks that a process keeps at least its own pace, and that none waits forever,
// whatever happens to the file.
func TestPaceFile(t *testing.T) {
	clock := newClock()
	now := int64(clock.Ticks())
	dir := t.TempDir()
	path := filepath.Join(dir, "pace")
	for name, c := range map[string]struct {
		text   string
		change func()
		want   time.Duration
	}{
		"of others":       {fmt.Sprint(now + 5e9), nil, 5 * time.Second},
		"old":             {fmt.Sprint(now - 5e9), nil, 0},
		"removed":         {"", func() { os.Remove(path) }, 0},
		"empty":           {"", nil, 0},
		"of nobody":       {"hello", nil, 0},
		"of another boot": {fmt.Sprint(now + 1e15), nil, 0},
		"long":            {strings.Repeat("9", 1000), nil, 0},
		"a folder":        {"", func() { os.Remove(path); os.Mkdir(path, 0o700) }, 0},
		"nowhere":         {"", func() { os.RemoveAll(dir) }, 0},
	} {
		os.RemoveAll(path)
		os.MkdirAll(dir, 0o700)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		var got []time.Duration
		p := pace{every: time.Second, path: path}
		frozen := frozenClock{clock, func(d time.Duration) { got = append(got, d) }}
		for range 3 {
			if c.change != nil {
				c.change()
			}
			if err := p.wait(t.Context(), frozen); err != nil {
				t.Fatal(err)
			}
		}
		want := []time.Duration{c.want, c.want + time.Second, c.want + 2*time.Second}
		if c.want == 0 {
			want = want[1:]
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: slept %v, want %v", name, got, want)
		}
	}
}

// TestPaceHeld checks that a wait for a stopped process that holds the file ends with its context.
func TestPaceHeld(t *testing.T) {
	p := pace{every: time.Second, path: filepath.Join(t.TempDir(), "pace")}
	held, err := p.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	ctx, cancel := context.WithCancel(t.Context())
	end := make(chan error)
	go func() { end <- p.wait(ctx, newClock()) }()
	cancel()
	if err := <-end; err != context.Canceled {
		t.Error(err)
	}
}

// TestPacePath checks that there is one file per host, however the host is written, and none for a
// service of this process alone.
func TestPacePath(t *testing.T) {
	path := func(url string) string {
		p := newPace(&Config{URL: url, Rate: 1, TempDir: "/t"})
		return p.path
	}
	one := path("http://example.com/a")
	for _, url := range []string{"http://example.com:80/b?q={input}", "http://EXAMPLE.com"} {
		if path(url) != one || filepath.Dir(one) != "/t" {
			t.Errorf("%s: %s, and %s for another path", url, path(url), one)
		}
	}
	for _, url := range []string{"https://example.com/a", "http://example.com:8080/a", "http://example.org/a"} {
		if path(url) == one {
			t.Errorf("%s has the file of another host", url)
		}
	}
	if p := path("http://localhost:{port}/"); p != "" {
		t.Error(p)
	}
}
