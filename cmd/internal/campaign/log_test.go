package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/campaign/findings/findingstest"
)

// TestLogOfManyDeaths checks that many ends of workers make few lines in log.txt, with the exact
// number. Each new bucket and each input has its line.
func TestLogOfManyDeaths(t *testing.T) {
	const deaths, buckets, inputs = 1_000_003, 3 * mostAlike, 2 * mostAlike
	dir := t.TempDir()
	f := findingstest.OpenFolder(t, dir)
	clock := time.Unix(1e9, 0)
	log := logger(f.Log(func() time.Time { clock = clock.Add(time.Second); return clock }))
	for i := range deaths {
		log.Warn("worker ended", "instance", i%4, "outcome", "crashed", "status", "exit status 2", "said", fmt.Sprint("panic: ", i))
		if i < buckets {
			log.Info("finding", "bucket", fmt.Sprint("new", i), newKey, true)
			log.Info("finding", "bucket", fmt.Sprint("old", i), newKey, false)
		}
		if i < inputs {
			log.Warn("input no longer replayed", "hash", fmt.Sprint("hash", i))
		}
	}
	logCounts(log)
	f.Close()
	data, err := os.ReadFile(filepath.Join(dir, "log.txt"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for what, most := range map[string]int{
		`msg="worker ended"`: mostAlike + 20, "bucket=new": buckets, "bucket=old": mostAlike + 2, "hash=hash": inputs,
		"msg=counted": 2,
	} {
		if n := strings.Count(text, what); n > most || n < most/2 {
			t.Errorf("%d lines with %s, want %d at most", n, what, most)
		}
	}
	for _, want := range []string{
		fmt.Sprintf(`msg=counted message="worker ended" records=%d`, deaths),
		fmt.Sprintf("msg=counted message=finding records=%d", buckets), "alike=524288",
		`said="panic: 0"`, fmt.Sprint("bucket=new", buckets-1), fmt.Sprint("hash=hash", inputs-1),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
}
