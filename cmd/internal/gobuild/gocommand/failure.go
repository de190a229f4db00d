package gocommand

import (
	"errors"
	"os/exec"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/lazyregexp"
)

// MaxLines bounds what is shown of the go command's output.
const MaxLines = 12

// networkWords are parts of messages that mean a module could not be fetched for want of a
// connection.
var networkWords = []string{"dial tcp", "no such host", "connection refused", "i/o timeout", "network is unreachable", "TLS handshake",
	"proxyconnect", "connection reset", "module lookup disabled by GOPROXY=off", "Temporary failure in name resolution", "Client.Timeout", "unexpected EOF"}

// TooNew matches the go command's message about code for a newer Go.
var TooNew = lazyregexp.New(`requires go >= ?[0-9.]+[^\n]*`)

// ErrNetwork is in errors of modules that could not be asked for.
var ErrNetwork = errors.New("the module proxy could not be reached")

// Explain returns why a go command failed before it read any package.
func (e *Env) Explain(doing string, stderr []byte, err error) error {
	var failed *exec.ExitError
	if !errors.As(err, &failed) {
		return err // no go command, or the context ended
	}
	text := string(stderr)
	if m := TooNew().FindString(text); m != "" {
		return exit.Usage("%s: the go command on PATH (%s) is too old: %s; install a newer Go, or set GOTOOLCHAIN=auto", doing, e.GOVERSION, m)
	}
	if problem := DiskError(text); problem != nil {
		return problem
	}
	if problem := e.NetworkError(text); problem != nil {
		return problem
	}
	return exit.Usage("%s failed:\n%s", doing, Relevant(text))
}

// DiskError returns the error for a disk that is full or cannot be written, nil if text is about
// something else.
func DiskError(text string) error {
	for _, line := range strings.Split(text, "\n") {
		for _, word := range []string{"creating work dir", "GOCACHE is not defined", "GOMODCACHE ()", "module cache not found"} {
			if strings.Contains(line, word) {
				return exit.Infra("the go command has no folder to work in: %s\nset HOME, or GOCACHE and GOMODCACHE, and let TMPDIR name a folder that can be written", strings.TrimSpace(line))
			}
		}
		for _, word := range []string{"no space left on device", "disk quota exceeded", "read-only file system", "too many open files"} {
			if strings.Contains(line, word) {
				return exit.Infra("the go command could not write or open files: %s", strings.TrimSpace(line))
			}
		}
	}
	return nil
}

// NetworkError returns the error for a module that could not be fetched, nil if text is about
// something else.
func (e *Env) NetworkError(text string) error {
	for _, line := range strings.Split(text, "\n") {
		for _, word := range networkWords {
			if strings.Contains(line, word) {
				return exit.Usage("%w (GOPROXY=%s): %s\ncheck the network, or name functions of modules that are downloaded already", ErrNetwork, e.GOPROXY, strings.TrimPrefix(strings.TrimSpace(line), "go: "))
			}
		}
	}
	return nil
}

// Relevant trims the go command's output: no progress, at most MaxLines lines.
func Relevant(text string) string {
	var keep []string
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if strings.HasPrefix(line, "go: downloading ") || strings.HasPrefix(line, "go: finding ") || strings.TrimSpace(line) == "" {
			continue
		}
		if line == "FAIL" || strings.HasPrefix(line, "FAIL\t") { // go test says so of a package that does not build
			continue
		}
		keep = append(keep, "\t"+strings.TrimRight(line, " \t\r"))
	}
	if n := len(keep); n > MaxLines {
		keep = append(keep[:MaxLines:MaxLines], "\t...")
	}
	return strings.Join(keep, "\n")
}
