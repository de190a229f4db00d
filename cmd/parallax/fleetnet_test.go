package main_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// network is two network namespaces of the test's own with a link between them. Nothing in them
// reaches the network of the machine.
type network struct {
	t         *testing.T
	here, far []string // the commands that start a process on either side
}

const (
	hereAddress = "10.99.0.1"
	farAddress  = "10.99.0.2"
)

// newNetwork makes the namespaces, or skips the test if the kernel forbids it.
func newNetwork(t *testing.T) *network {
	t.Helper()
	for _, name := range []string{"ip", "unshare", "nsenter"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("needs ip of iproute2, and unshare and nsenter of util-linux")
		}
	}
	n := &network{t: t}
	// The namespaces live as long as these processes.
	here := n.hold("unshare", "--user", "--map-root-user", "--net")
	n.here = []string{"nsenter", "--target", here, "--user", "--net", "--preserve-credentials"}
	far := n.hold(append(slices.Clone(n.here), "unshare", "--net")...)
	n.far = []string{"nsenter", "--target", far, "--user", "--net", "--preserve-credentials"}
	n.run(n.here, "ip", "link", "add", "here", "type", "veth", "peer", "name", "far", "netns", far)
	for _, side := range []struct {
		within        []string
		link, address string
	}{{n.here, "here", hereAddress}, {n.far, "far", farAddress}} {
		n.run(side.within, "ip", "link", "set", "lo", "up")
		n.run(side.within, "ip", "address", "add", side.address+"/24", "dev", side.link)
		n.run(side.within, "ip", "link", "set", side.link, "up")
	}
	return n
}

// hold starts a process that keeps a namespace, and returns its id.
func (n *network) hold(within ...string) string {
	n.t.Helper()
	c := exec.Command(within[0], append(within[1:], "sh", "-c", "echo up; exec cat")...)
	in, err := c.StdinPipe()
	if err != nil {
		n.t.Fatal(err)
	}
	said, err := c.StdoutPipe()
	if err != nil {
		n.t.Fatal(err)
	}
	var why strings.Builder
	c.Stderr = &why
	if err := c.Start(); err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() {
		in.Close()
		_ = c.Wait()
	})
	if up := make([]byte, 3); func() int { k, _ := said.Read(up); return k }() == 0 {
		in.Close()
		_ = c.Wait()
		n.t.Skipf("the kernel forbids network namespaces: %s", strings.TrimSpace(why.String()))
	}
	return strconv.Itoa(c.Process.Pid)
}

// run runs a command on one side.
func (n *network) run(within []string, words ...string) {
	n.t.Helper()
	all := slices.Concat(within, words)
	out, err := exec.Command(all[0], all[1:]...).CombinedOutput()
	if err != nil && strings.Contains(string(out), "not supported") || strings.Contains(string(out), "Unknown device type") {
		n.t.Skipf("the kernel has no links between namespaces: %s", out)
	}
	if err != nil {
		n.t.Fatalf("%q: %v\n%s", words, err, out)
	}
}

// link cuts the link, or restores it.
func (n *network) link(state string) { n.run(n.far, "ip", "link", "set", "far", state) }

// TestFleetPartition cuts the link between members and their hub, so that packets are lost without
// an error. Both sides find the same causes alone. Afterwards, all members have all inputs of both
// sides, and each finding once.
func TestFleetPartition(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	n := newNetwork(t)
	f := emptyFleet(t)
	const token = "a-token-of-this-test"
	path := filepath.Join(f.dir, "token")
	if err := os.WriteFile(path, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.env = []string{"PARALLAX_JOIN_TOKEN=" + token}
	f.hub.within = n.here
	f.startHub(hereAddress+":4222", "--token-file", path)
	f.startMember(n.here...)
	f.startMember(n.far...)
	f.startMember(n.far...)
	near, far := f.members[:1], f.members[1:]
	joined := func(m *running) bool { return len(f.inputs(m, "corpus/*")) > 0 }
	f.eventually("all members fuzz", func() bool { return !slices.ContainsFunc(f.members, func(m *running) bool { return !joined(m) }) })
	const causes = 4
	inputs, buckets := map[string]bool{}, map[string]bool{}
	look := func(members []*running) {
		for _, m := range members {
			maps.Copy(inputs, f.inputs(m, "corpus/*"))
			maps.Copy(buckets, f.buckets(m))
		}
	}
	lost := func(m *running) int {
		log, _ := os.ReadFile(filepath.Join(f.dir, m.name, "log.txt"))
		return strings.Count(string(log), "hub lost")
	}
	all := func() bool {
		look(f.members)
		return !slices.ContainsFunc(f.members, func(m *running) bool { return f.lacks(m, inputs) > 0 || !maps.Equal(f.buckets(m), buckets) })
	}

	n.link("down")
	f.eventually("the far members notice the loss", func() bool { return !slices.ContainsFunc(far, func(m *running) bool { return lost(m) == 0 }) })
	f.eventually("both sides have found all causes", func() bool {
		return !slices.ContainsFunc(f.members, func(m *running) bool { return len(f.buckets(m)) < causes })
	})
	if k := lost(near[0]); k > 0 {
		t.Errorf("the member on the hub's side has lost it %d times", k)
	}
	look(f.members)
	missing := 0
	for _, m := range f.members {
		missing += f.lacks(m, inputs)
	}
	n.link("up")
	f.eventually("all members have all inputs and findings", all)
	t.Logf("%d inputs; %d were missing somewhere during the partition", len(inputs), missing)

	for _, cut := range []time.Duration{time.Second, 3 * time.Second} { // perhaps too short to be noticed
		n.link("down")
		time.Sleep(cut)
		n.link("up")
		f.eventually("all members have all inputs and findings", all)
	}
	if len(buckets) != causes {
		t.Errorf("%d findings of %d causes: %q", len(buckets), causes, slices.Sorted(maps.Keys(buckets)))
	}
	f.interrupt()
	for _, m := range f.members {
		if got := f.buckets(m); !maps.Equal(got, buckets) {
			t.Errorf("%s ends with the findings %q, want %q", m.name, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(buckets)))
		}
	}
}
