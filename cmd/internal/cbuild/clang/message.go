package clang

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A build runs the compiler thousands of times, and messages about the whole build are printed
// once. The processes of a build share their process group, which a shell with job control creates
// per command line. Without job control (scripts, services), the group lives longer, so that a
// message also repeats after a while.
const repeatAfter = 10 * time.Minute

// report prints a message on standard error, once per build. It is silent in tests of build
// systems, which take it for a warning of the compiler.
func (w *wrapper) report(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !w.probe && first(text) {
		fmt.Fprintf(os.Stderr, "parallax %s: %s\n", w.compiler, text)
	}
}

// first reports whether a message is new in this build.
func first(text string) bool {
	cache, err := cacheDir()
	if err != nil {
		return true
	}
	dir := filepath.Join(cache, "said")
	group := syscall.Getpgrp()
	h := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", group, startOf(group), text))
	name := filepath.Join(dir, fmt.Sprintf("%x", h[:12]))
	if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) < repeatAfter {
		return false
	}
	sweep(dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return true
	}
	os.Remove(name)
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return !os.IsExist(err)
	}
	f.Close()
	return true
}

// startOf returns the start time of a process, since process ids are reused.
func startOf(pid int) string {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 20 {
		return ""
	}
	return fields[19]
}

// sweep removes the marks of builds that are over.
func sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > repeatAfter {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
