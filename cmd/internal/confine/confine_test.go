package confine

import (
	"context"
	"os"
	"testing"
	"time"
)

func TestQuick(t *testing.T) {
	tool, _ := os.Executable()
	for _, plain := range []bool{false, true} {
		b, err := Open(context.Background(), Options{Tool: tool, Plain: plain})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(b.Notes(), b.Folder())
		for range 3 {
			r, w, _ := os.Pipe()
			p, err := b.Start(Command{Path: "/bin/sh", Args: []string{"sh", "-c", "id; ls -la; cat a; ps aux | tail -4; ip link; sleep 100 & exit 3"}, Env: []string{"PATH=/usr/sbin:/usr/bin:/bin"}, Stdout: w, Stderr: w, Files: map[string][]byte{"a": []byte("hello\n")}})
			if err != nil {
				t.Fatal(err)
			}
			w.Close()
			s := p.Wait()
			buf := make([]byte, 10000)
			n, _ := r.Read(buf)
			t.Logf("%+v %s", s, buf[:n])
		}
		t0 := time.Now()
		for range 1000 {
			p, err := b.Start(Command{Args: []string{"/bin/true"}})
			if err != nil {
				t.Fatal(err)
			}
			if s := p.Wait(); s.Exit != 0 || s.Err != nil {
				t.Fatal(s)
			}
		}
		t.Log(time.Since(t0) / 1000)
		t.Log(b.Close())
	}
}
