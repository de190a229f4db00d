package quota

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
)

// The numbers that systemd's documentation of users and groups leaves to nobody.
const (
	unusedFirst = 0x70000000
	unusedCount = 1 << 24
)

// Spare chooses a user number that nobody else has: another one each time, since the kernel adds up what all processes of a user have. Where
// a user namespace has a few numbers only, as in containers, it is one of the upper ones, which are given to no user as a rule.
func Spare() (int, error) {
	all, err := userMap()
	if err != nil {
		return 0, err
	}
	var most userRange
	for _, r := range all {
		if r.count > most.count {
			most = r
		}
	}
	if most.first <= unusedFirst && most.first+most.count >= unusedFirst+unusedCount {
		return unusedFirst + rand.IntN(unusedCount), nil
	}
	if most.count < 1<<12 {
		return 0, errors.New("the user namespace that parallax runs in has no user number to spare")
	}
	return int(most.first + most.count*3/4 + rand.Int64N(most.count/8)), nil
}

// userRange are user numbers of a namespace, and what they are outside of it, user_namespaces(7).
type userRange struct{ first, outside, count int64 }

func userMap() (all []userRange, err error) {
	text, err := os.ReadFile("/proc/self/uid_map")
	for line := range strings.Lines(string(text)) {
		var r userRange
		if _, err := fmt.Sscan(line, &r.first, &r.outside, &r.count); err == nil {
			all = append(all, r)
		}
	}
	return all, err
}

// ordinary reports whether this process's user is not the machine's root, whom RLIMIT_NPROC does not bind. Root of a user namespace may be
// anybody outside.
func ordinary(uid int) bool {
	all, err := userMap()
	for _, r := range all {
		if n := int64(uid); err == nil && r.first <= n && n < r.first+r.count {
			return r.outside+n-r.first != 0
		}
	}
	return uid != 0
}
