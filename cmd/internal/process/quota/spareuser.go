package quota

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
)

// Numbers that systemd's documentation of users and groups leaves unassigned.
const (
	unusedFirst = 0x70000000
	unusedCount = 1 << 24
)

// Spare chooses a user number that no other process has. It differs each time, because the kernel
// adds up the tasks of all processes of a user. In a user namespace with few numbers, as in
// containers, it is an upper one, which rarely belongs to a user.
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

// userRange is a range of user numbers in a namespace, with the first number outside,
// user_namespaces(7).
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

// limitedByRlimit reports whether this process's user is not the machine's root, which RLIMIT_NPROC
// does not limit. Root of a user namespace may be any user outside.
func limitedByRlimit(uid int) bool {
	all, err := userMap()
	for _, r := range all {
		if n := int64(uid); err == nil && r.first <= n && n < r.first+r.count {
			return r.outside+n-r.first != 0
		}
	}
	return uid != 0
}
