package trial

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/internal/atomicfile"
)

// CurrentOrigin returns the origin of samples that are made now with an executable of parallax.
func CurrentOrigin(ctx context.Context, tool, revision string) (Origin, error) {
	data, err := os.ReadFile(tool)
	if err != nil {
		return Origin{}, exit.Infra("the parallax executable: %w", err)
	}
	sum := sha256.Sum256(data)
	version, err := exec.CommandContext(ctx, "go", "env", "GOVERSION").Output()
	if err != nil {
		return Origin{}, exit.Infra("asking the go command for its version: %w", err)
	}
	kernel, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	return Origin{
		Tool: hex.EncodeToString(sum[:6]), Revision: revision, Go: strings.TrimSpace(string(version)),
		Machine: fmt.Sprintf("%d of %s", runtime.NumCPU(), processor()), Kernel: strings.TrimSpace(string(kernel)),
	}, nil
}

func processor() string {
	data, _ := os.ReadFile("/proc/cpuinfo")
	for _, line := range strings.Split(string(data), "\n") {
		if name, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// stratum identifies samples that can be compared directly, by the fields that differs compares.
func (o Origin) stratum() string {
	o.Revision = ""
	return o.String()
}

// load returns the current load average.
func load() string {
	data, _ := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(data))
	return strings.Join(fields[:min(3, len(fields))], " ")
}

// differs describes a relevant difference between two origins, or returns "". The revision does not
// count, since most changes of a repository do not affect the executable. Nor does the kernel.
func (o Origin) differs(other Origin) string {
	for _, one := range [][3]string{{"parallax", o.Tool, other.Tool}, {"Go", o.Go, other.Go}, {"machine", o.Machine, other.Machine}} {
		if one[1] != one[2] {
			return fmt.Sprintf("%s was %s, and is %s", one[0], one[1], one[2])
		}
	}
	return ""
}

// modules returns the module versions of a subject's targets in its own module, as the go command
// selects them in its folder. The campaign records targets with their own version.
func modules(ctx context.Context, dir string, s *Subject) map[string]string {
	var packages []string
	for _, t := range append(slices.Clone(s.Targets), s.Fuzz) {
		if t == "" || strings.Contains(t, "@") {
			continue
		}
		if s.Harness == "" { // for a function, the package ends before the dot in the last element
			slash := strings.LastIndexByte(t, '/') + 1
			if dot := strings.LastIndexByte(t, '.'); dot > slash {
				t = t[:dot]
			}
		}
		packages = append(packages, t)
	}
	if len(packages) == 0 {
		return nil
	}
	args := []string{"list", "-e", "-deps", "-f", "{{with .Module}}{{if .Version}}{{.Path}} {{.Version}}{{end}}{{end}}"}
	if s.Harness != "" {
		args = append(args, "-test")
	}
	cmd := exec.CommandContext(ctx, "go", slices.Concat(args, []string{"--"}, packages)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil // the trial reports the error itself
	}
	found := map[string]string{}
	for _, line := range bytes.Split(out, []byte("\n")) {
		if path, version, ok := strings.Cut(string(line), " "); ok {
			found[path] = version
		}
	}
	return found
}

// KeepTool copies the executable into a folder, so all trials run the same one.
func KeepTool(tool, folder string, o Origin) (string, error) {
	path := filepath.Join(folder, "tool-"+o.Tool, "parallax")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	old, _ := filepath.Glob(filepath.Join(folder, "tool-*"))
	for _, dir := range old {
		os.RemoveAll(dir)
	}
	data, err := os.ReadFile(tool)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = atomicfile.Write(atomicfile.OS, path, data)
	}
	if err == nil {
		err = os.Chmod(path, 0o755)
	}
	if err != nil {
		return "", exit.Infra("keeping the executable for all trials: %w", err)
	}
	return path, nil
}
