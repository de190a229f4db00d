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

// A build runs the compiler thousands of times, and what concerns all of it is said once. Processes of a build have one thing
// in common that others lack: the process group, which a shell with job control gives to every command line. Without job
// control (scripts, services) it is the same for longer, so a message also comes again after a while.
const again = 10 * time.Minute

// tell says something on standard error, once a build. Tests of build systems hear nothing: they take it for a warning of the compiler.
func (w *wrapper) tell(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !w.probe && first(text) {
		fmt.Fprintf(os.Stderr, "parallax %s: %s\n", w.compiler, text)
	}
}

// first tells whether nobody in this build has said it.
func first(text string) bool {
	cache, err := cacheDir()
	if err != nil {
		return true
	}
	dir := filepath.Join(cache, "said")
	group := syscall.Getpgrp()
	h := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", group, startOf(group), text))
	name := filepath.Join(dir, fmt.Sprintf("%x", h[:12]))
	if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) < again {
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

// startOf tells when a process started: numbers of processes come again.
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
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > again {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
