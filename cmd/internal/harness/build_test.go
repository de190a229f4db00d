package harness

import "testing"

func TestScratch(t *testing.T) {
	p := resolve(t, t.TempDir(), "encoding/json.Valid", "github.com/goccy/go-json.Valid@v0.10.5")
	if want := "json.Valid+go-json.Valid@v0.10.5"; p.Target != want {
		t.Errorf("target %q, want %q", p.Target, want)
	}
	want := "[[]byte] false\njson.Valid rejected\ngo-json.Valid@v0.10.5 rejected"
	if got := runWorker(t, p, `[1,`); got != want {
		t.Errorf("worker prints %q, want %q", got, want)
	}
}
