package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Tree is the process and all that descend from it.
func Tree(root int) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		if f := Stat(name); len(f) > 1 {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			parent, _ := strconv.Atoi(f[1])
			children[parent] = append(children[parent], pid)
		}
	}
	all := []int{root}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

// Stat is the fields of /proc/PID/stat behind the name, the state first.
func Stat(file string) []string {
	data, _ := os.ReadFile(file)
	return strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
}

// Size reads a size in a file of /proc, zero when the process is gone.
func Size(file, name string) int {
	data, _ := os.ReadFile(file)
	for _, line := range strings.Split(string(data), "\n") {
		if f := strings.Fields(line); len(f) > 1 && f[0] == name {
			n, _ := strconv.Atoi(f[1])
			return n
		}
	}
	return 0
}
