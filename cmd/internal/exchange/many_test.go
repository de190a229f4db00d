package exchange

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"parallax/cmd/internal/exchange/hub"
	"parallax/cmd/internal/finding/event"
	"parallax/cmd/internal/finding/sample"
)

// manyMembers and manyInputs are the environment variables with the number of members in
// TestManyMembers and TestSimulatedMembers, and of the inputs that each announces
// (bench/fleet/README.md).
const (
	manyMembers = "PARALLAX_FLEET_MEMBERS"
	manyInputs  = "PARALLAX_FLEET_INPUTS"
	hubFolder   = "PARALLAX_FLEET_HUB" // set in the process of the hub
)

// manyRecord is the environment variable with the file to which TestSimulatedMembers appends what
// it measured.
const manyRecord = "PARALLAX_FLEET_RECORD"

// number returns the value of an environment variable.
func number(t *testing.T, name string, usual int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestHubProcess is the hub of TestManyMembers, and runs until its input ends.
func TestHubProcess(t *testing.T) {
	dir := os.Getenv(hubFolder)
	if dir == "" {
		t.Skip("TestManyMembers starts it")
	}
	h, err := hub.Start(hub.Options{Listen: "127.0.0.1:0", Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("hub %s\n", h.Address())
	bufio.NewReader(os.Stdin).ReadByte()
}

// TestManyMembers has many members announce inputs at the same time, and waits until each has all.
// It logs the cost of the hub's process.
func TestManyMembers(t *testing.T) {
	members, each := number(t, manyMembers, 8), number(t, manyInputs, 20)
	hub := startHub(t, t.TempDir())
	folders := make([]*folder, members)
	for i := range folders {
		folders[i] = newFolder(t).join(hub.address)
	}
	began := time.Now()
	var all sync.WaitGroup
	for i, f := range folders {
		all.Go(func() {
			for n := range each {
				f.keep(fmt.Sprintf("member %d input %d %s", i, n, strings.Repeat(".", n%500)))
			}
		})
	}
	all.Wait()
	for _, f := range folders {
		eventually(t, "all inputs are everywhere", func() bool {
			f.execute()
			return len(f.taken) == (members-1)*each
		})
	}
	took := time.Since(began)
	inputs := members * each
	cpu, memory := usage(t, hub.pid)
	t.Logf("%d members, %d inputs: %v until each has all; hub: %v of CPU, %.0f µs per input, %.2f µs per delivery, %d MiB at most", members, inputs,
		took.Round(time.Millisecond), cpu, float64(cpu.Microseconds())/float64(inputs), float64(cpu.Microseconds())/float64(inputs*members), memory>>20)
}

// hubProcess is a hub in a process of its own.
type hubProcess struct {
	address string
	pid     int
}

// startHub starts a hub that ends with the test.
func startHub(t *testing.T, dir string) hubProcess {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestHubProcess$")
	c.Env = append(os.Environ(), hubFolder+"="+dir)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		c.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "hub ")
	if err != nil || !ok {
		t.Fatal(line, err)
	}
	return hubProcess{address, c.Process.Pid}
}

// usage returns the CPU time of a process and its largest memory.
func usage(t *testing.T, pid int) (cpu time.Duration, memory int64) {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	for _, f := range fields[11:13] { // user and system time, in hundredths of a second
		n, _ := strconv.Atoi(f)
		cpu += time.Duration(n) * 10 * time.Millisecond
	}
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(status)) {
		if text, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, _ := strconv.ParseInt(strings.Fields(text)[0], 10, 64)
			memory = n << 10
		}
	}
	return cpu, memory
}

// TestPresence checks that others see a member and its samples, until it ends.
func TestPresence(t *testing.T) {
	s := newServer(t)
	a, b := newFolder(t).join(s.address), newFolder(t).join(s.address)
	if err := a.member.Handle(event.Sampled{Samples: []sample.Sample{{Inputs: 7}}}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := contextOf(t)
	defer cancel()
	kv, err := b.hub.js.KeyValue(ctx, memberBucket)
	if err != nil {
		t.Fatal(err)
	}
	name := a.member.memory.Member
	key := identity.Key() + "." + name
	eventually(t, "the member is shown", func() bool { _, err := kv.Get(ctx, key); return err == nil })
	entry, err := kv.Get(ctx, key)
	if err != nil {
		t.Fatal(err)
	}
	var p Presence
	if err := json.Unmarshal(entry.Value(), &p); err != nil || p.Member != name || p.Target != "p" || p.Mode != "fuzz" {
		t.Errorf("%+v, %v", p, err)
	}
	stats, err := b.hub.js.Stream(ctx, statsStream)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "a sample is shown", func() bool {
		msg, err := stats.GetLastMsgForSubject(ctx, "px."+identity.Key()+".stats."+name)
		var got sample.Sample
		return err == nil && json.Unmarshal(msg.Data, &got) == nil && got.Inputs == 7
	})
	a.close()
	if _, err := kv.Get(ctx, key); err == nil {
		t.Error("the member is still shown")
	}
	if files, _ := filepath.Glob(filepath.Join(a.dir, "peers", "*")); len(files) == 0 {
		t.Error("the folder has no peers")
	}
}
