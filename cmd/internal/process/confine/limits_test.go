package confine

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/base/limits"
)

func TestMemory(t *testing.T) {
	const limit = 128 << 20
	withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
		b := openSandbox(t, Options{Plain: plain, Limits: limits.Limits{Memory: limit}})
		inChild := own("hog", "400", "30000")
		inChild.Args = append([]string{"sh", "-c", `"$@" & wait`, "sh", tool()}, inChild.Args[1:]...)
		inChild.Path = "/bin/sh"
		together := own("hog", "50", "30000") // none of the four exceeds it alone
		together.Args = []string{"sh", "-c", `for i in 1 2 3 4; do "$@" & done; wait`, "sh", tool(), "50", "30000"}
		together.Path = "/bin/sh"
		for _, c := range []struct {
			name string
			Command
			oom bool
		}{
			{"much", own("hog", "400", "30000"), true},
			{"shortly", own("hog", "200", "0"), true}, // may end before a check
			{"a child", inChild, true},
			{"together", together, true},
			{"little", own("hog", "30", "30"), false},
		} {
			if r := ran(t, b, c.Command); r.OOM != c.oom || r.Forked || !c.oom && r.Exit != 0 {
				t.Errorf("%s: %+v", c.name, r)
			}
		}
	})
}

// bomb starts at most 256 processes if no limit stops it.
const bomb = `f() { if [ $1 -gt 0 ]; then f $(($1-1)) & f $(($1-1)) & fi; exec %s sleep ` + "%s" + `; }; f 7`

func TestForkBomb(t *testing.T) {
	for _, wrapper := range []string{"", "setsid -w"} {
		t.Run(wrapper, func(t *testing.T) {
			withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
				b := openSandbox(t, Options{Plain: plain, Limits: limits.Limits{Processes: 32}})
				mark := newMark()
				// RLIMIT_NPROC refuses processes of an ordinary user, which only the program
				// notices. On a busy machine the shells give up before a check.
				if r := ran(t, b, shell(fmt.Sprintf(bomb, wrapper, mark))); !r.Forked && (os.Geteuid() == 0 || !strings.Contains(r.out, "fork")) {
					t.Errorf("%+v", r)
				}
				if left := marked(t, mark); len(left) > 0 {
					t.Errorf("%d are left", len(left))
				}
				if r := ran(t, b, shell("for i in 1 2 3 4 5; do sleep 0.02 & done; wait; exit 2")); r.Forked || r.Exit != 2 {
					t.Errorf("few: %+v", r)
				}
			})
		})
	}
}

func TestFileSize(t *testing.T) {
	withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
		b := openSandbox(t, Options{Plain: plain, Limits: limits.Limits{FileSize: 1 << 20}})
		if r := ran(t, b, shell("exec head -c 3000000 /dev/zero > big")); r.Signal != unix.SIGXFSZ {
			t.Errorf("%+v", r)
		}
		// The sandbox itself has no such limit.
		c := shell("wc -c < input")
		c.Files = map[string][]byte{"input": make([]byte, 3000000)}
		if r := ran(t, b, c); strings.TrimSpace(r.out) != "3000000" {
			t.Errorf("%+v", r)
		}
	})
}

func TestFullFolder(t *testing.T) {
	b := openSandbox(t, Options{TempMB: 1})
	if !b.level.private {
		t.Log("this machine permits no private file system, so there is no size")
		return
	}
	for range 2 { // the next program finds an empty folder
		if r := ran(t, b, shell("head -c 500000 /dev/zero > small && echo fits && head -c 3000000 /dev/zero > big")); r.Exit != 1 || !strings.Contains(r.out, "fits") {
			t.Errorf("%+v", r)
		}
		if r := ran(t, b, shell("i=0; while : > f$i; do i=$((i+1)); done 2> /dev/null; exit 1")); r.Exit == 0 {
			t.Errorf("endless files: %+v", r)
		}
	}
	c := shell("exit 0")
	c.Files = map[string][]byte{"input": make([]byte, 3<<20), "second": []byte("x")}
	if _, err := b.Start(c); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("an input that does not fit: %v", err)
	}
	if r := ran(t, b, shell("exit 6")); r.Exit != 6 {
		t.Errorf("after it: %+v", r)
	}
}

func TestNetwork(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			io.WriteString(conn, "from outside")
			conn.Close()
		}
	}()
	withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
		outside := own("connect", listener.Addr().String())
		b := openSandbox(t, Options{Plain: plain})
		if r := ran(t, b, outside); r.Exit != 1 {
			t.Errorf("reached the network: %+v", r)
		}
		if r := ran(t, b, own("local")); (r.Exit == 0) != b.level.private {
			t.Errorf("localhost: %+v", r)
		}
		allowed := openSandbox(t, Options{Plain: plain, Limits: limits.Limits{Network: true}})
		if r := ran(t, allowed, outside); r.Exit != 0 || !strings.Contains(r.out, "from outside") {
			t.Errorf("did not reach the network: %+v", r)
		}
	})
}
