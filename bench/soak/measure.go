package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"parallax/bench/internal/process"
)

// progress is the latest line of a campaign's stats.jsonl.
type progress struct {
	Elapsed  float64 `json:"elapsed_seconds"`
	CPU      float64 `json:"cpu_seconds"` // of the workers
	Inputs   uint64  `json:"inputs"`
	Corpus   int     `json:"corpus"`
	Coarse   uint64  `json:"coarse"`
	Fine     uint64  `json:"fine"`
	Output   uint64  `json:"output"`
	Restarts uint64  `json:"restarts"`
	Bytes    uint64  `json:"input_bytes"`
	Blocks   uint64  `json:"blocks_entered"`
}

// latest reads the end of stats.jsonl.
func latest(folder string) (p progress) {
	f, err := os.Open(filepath.Join(folder, "stats.jsonl"))
	if err != nil {
		return p
	}
	defer f.Close()
	const most = 64 << 10
	info, err := f.Stat()
	if err != nil {
		return p
	}
	data := make([]byte, min(info.Size(), most))
	if _, err := f.ReadAt(data, info.Size()-int64(len(data))); err != nil {
		return p
	}
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	for lines := bytes.Split(data, []byte("\n")); len(lines) > 0; lines = lines[:len(lines)-1] {
		if json.Unmarshal(lines[len(lines)-1], &p) == nil {
			break
		}
	}
	return p
}

// memory is resident sets of the processes of a campaign, in KiB.
type memory struct {
	Parallax  int `json:"parallax"`
	Worker    int `json:"worker"` // the largest
	Operands  int `json:"operands"`
	Other     int `json:"other"`     // the largest of all others, such as those that build
	PSS       int `json:"pss"`       // of all, pages that several share once
	Processes int `json:"processes"` // of the campaign
}

// most is the larger part of two.
func (m memory) most(o memory) memory {
	return memory{
		max(m.Parallax, o.Parallax), max(m.Worker, o.Worker), max(m.Operands, o.Operands), max(m.Other, o.Other),
		max(m.PSS, o.PSS), max(m.Processes, o.Processes),
	}
}

// measure looks at the processes of a campaign.
func measure(root int) (m memory) {
	for _, pid := range process.Tree(root) {
		exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
		if err != nil {
			continue
		}
		rss, name := process.Size(fmt.Sprintf("/proc/%d/status", pid), "VmRSS:"), filepath.Base(exe)
		switch {
		case pid == root:
			m.Parallax = rss
		case strings.HasPrefix(name, "worker-operands"):
			m.Operands = max(m.Operands, rss)
		case strings.HasPrefix(name, "worker"):
			m.Worker = max(m.Worker, rss)
		default:
			m.Other = max(m.Other, rss)
		}
		m.PSS += process.Size(fmt.Sprintf("/proc/%d/smaps_rollup", pid), "Pss:")
		m.Processes++
	}
	return m
}

// spent is the CPU time of a process itself, in the kernel's steps of ten milliseconds.
func spent(pid int) time.Duration {
	f := process.Stat(fmt.Sprintf("/proc/%d/stat", pid))
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(f[11], 10, 64)
	kernel, _ := strconv.ParseInt(f[12], 10, 64)
	return time.Duration(user+kernel) * 10 * time.Millisecond
}

// sizes is the bytes and files of a campaign's folder.
type sizes struct {
	Bytes  int64 `json:"bytes"`
	Files  int   `json:"files"`
	Corpus int64 `json:"corpus"`
	Tuples int64 `json:"tuples"`
	Stats  int64 `json:"stats"`
	Log    int64 `json:"log"`
}

func sizesOf(folder string) (s sizes) {
	filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // a file may be gone again
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		s.Bytes += info.Size()
		s.Files++
		switch in, _ := filepath.Rel(folder, path); {
		case strings.HasPrefix(in, "corpus"):
			s.Corpus += info.Size()
		case in == "tuples.log":
			s.Tuples = info.Size()
		case in == "stats.jsonl":
			s.Stats = info.Size()
		case strings.HasPrefix(in, "log"):
			s.Log += info.Size()
		}
		return nil
	})
	return s
}

func number(n uint64) string { return strconv.FormatUint(n, 10) }
