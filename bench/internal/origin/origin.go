// Package origin says what a sample was measured with, so that samples of different programs are
// not taken for one measurement. The programs of bench call it.
package origin

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// Origin is part of every sample.
type Origin struct {
	Go       string `json:"go"`
	CPU      string `json:"cpu"`      // model and number of processors
	Parallax string `json:"parallax"` // first digits of the SHA-256 of the executable
	Revision string `json:"revision"` // of the repository that it was built from, as the caller says
	Kernel   string `json:"kernel,omitempty"`
}

// Here is the origin of what is measured now with an executable of parallax.
func Here(tool, revision string) (Origin, error) {
	data, err := os.ReadFile(tool)
	if err != nil {
		return Origin{}, fmt.Errorf("the parallax executable: %w", err)
	}
	sum := sha256.Sum256(data)
	version, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil {
		return Origin{}, fmt.Errorf("asking the go command for its version: %w", err)
	}
	kernel, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	return Origin{
		Go: strings.TrimSpace(string(version)), Kernel: strings.TrimSpace(string(kernel)), CPU: fmt.Sprintf("%d of %s", runtime.NumCPU(), model()),
		Parallax: hex.EncodeToString(sum[:6]), Revision: revision,
	}, nil
}

func model() string {
	data, _ := os.ReadFile("/proc/cpuinfo")
	for _, line := range strings.Split(string(data), "\n") {
		if name, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "an unknown model"
}

// Load is the load average at this moment.
func Load() string {
	data, _ := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(data))
	return strings.Join(fields[:min(3, len(fields))], " ")
}

// Check is an error if a file holds samples of another Go, another machine or another build of
// parallax. The revision does not count: most changes of the repository are none of the executable.
// Nor does the kernel.
func (o Origin) Check(file string, earlier []Origin) error {
	for _, e := range earlier {
		if e.Go != o.Go || e.CPU != o.CPU || e.Parallax != o.Parallax {
			return fmt.Errorf("%s has samples taken with %v, and this is %v: remove it to begin anew", file, e, o)
		}
	}
	return nil
}

func (o Origin) String() string {
	return fmt.Sprintf("%s on %s, parallax %s (revision %s)", o.Go, o.CPU, o.Parallax, o.Revision)
}

// Describe lists the different origins of samples, in the order in which they come.
func Describe(all []Origin) string {
	var lines []string
	seen := map[Origin]bool{}
	for _, o := range all {
		if !seen[o] {
			seen[o] = true
			lines = append(lines, o.String())
		}
	}
	return strings.Join(lines, "; ")
}
