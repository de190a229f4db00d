// Durability attacks the folders of real campaigns. After each attack it checks that the next run
// loses nothing that was announced, or reports the loss in one message.
//
//	durability -parallax TOOL -work FOLDER [-kills 500] [-disks 20] [-damage] [-seed 1]
//
// It writes four small subjects into FOLDER (subjects.go): two Go functions, a FuzzXxx that
// crashes, a C harness, and a function that was changed. Kills (kills.go) end workers and
// supervisors at random moments. Disks (disks.go) are small tmpfs in a mount name space of their
// own. Damage (damage.go) truncates, flips, empties, replaces and removes each kind of file.
// ledger.go has the checks. The command prints its attacks, and exits with 1 if anything was lost.
package main

import (
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"sync"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == diskRole {
		os.Exit(onDisk(os.Args[2:]))
	}
	var t trial
	var seed int64
	kills := flag.Int("kills", 0, "processes to kill, workers and supervisors together")
	disks := flag.Int("disks", 0, "disks to fill")
	damages := flag.Bool("damage", false, "damage each kind of file in each way")
	flag.StringVar(&t.tool, "parallax", "", "the parallax executable")
	flag.StringVar(&t.work, "work", "", "folder for subjects and campaigns, which is made anew")
	flag.Int64Var(&seed, "seed", 1, "of the moments and places")
	flag.Parse()
	t.rand = rand.New(rand.NewSource(seed))
	err := t.prepare()
	for _, s := range t.subjects {
		s.rand = rand.New(rand.NewSource(t.rand.Int63()))
	}
	if err == nil {
		t.kills(*kills)
		t.disks(*disks)
		if *damages {
			t.damage()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "durability:", err)
		os.Exit(1)
	}
	fmt.Printf("%d failures\n", t.failures)
	if t.failures > 0 {
		os.Exit(1)
	}
}

// trial is one run of the program.
type trial struct {
	tool, work string
	rand       *rand.Rand
	subjects   []*subject

	mu       sync.Mutex
	failures int
}

func (t *trial) prepare() (err error) {
	if t.tool, err = filepath.Abs(t.tool); err != nil {
		return err
	}
	if t.work, err = filepath.Abs(t.work); err != nil {
		return err
	}
	if err := os.RemoveAll(t.work); err != nil {
		return err
	}
	t.subjects, err = t.write()
	return err
}

// fail notes that something was lost.
func (t *trial) fail(s *subject, format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failures++
	fmt.Printf("FAIL %s: %s\n", s.name, fmt.Sprintf(format, args...))
}
