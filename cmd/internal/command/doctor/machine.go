package doctor

import (
	"fmt"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/process/quota"
)

// Minimal resources of a campaign. Building the standard library plain and instrumented takes some
// 300 MB of the build cache. A worker with its tuple sets stays below 1 GiB.
const (
	minBuildCache = 1 << 30
	minModCache   = 200 << 20
	minFolder     = 200 << 20
	minMemory     = 2 << 30
	minCores      = 2
	minProcesses  = 256
)

func folder(h Host, name, dir string, need uint64, variable string) Check {
	c := Check{Name: name, Required: true}
	if dir == "" || dir == "off" {
		c.Detail, c.Fix = "none", "set "+variable+" to a folder with space"
		if dir == "" {
			c.Fix += ", or HOME"
		}
		return c
	}
	c.Detail = dir
	if err := h.Writable(dir); err != nil {
		c.Detail = fmt.Sprintf("cannot write to %s: %s", dir, oneLine(err))
		c.Fix = "make it writable, or set " + variable + " to another folder"
		return c
	}
	return space(h, c, dir, need, variable)
}

func space(h Host, c Check, dir string, need uint64, variable string) Check {
	n, err := h.Free(dir)
	if err != nil {
		c.OK = true
		c.Detail += ", space not known: " + oneLine(err)
		return c
	}
	c.Detail += ", " + units.Bytes(int64(min(n, 1<<62))) + " left"
	if n < need {
		c.Fix = "at least " + units.Bytes(int64(need)) + " is needed: make room"
		if variable != "" {
			c.Fix += ", or set " + variable + " to a larger disk"
		}
		return c
	}
	c.OK = true
	return c
}

// work checks the folder of campaigns.
func work(h Host) Check {
	c := Check{Name: "campaign folder", Required: true}
	dir, err := h.WorkDir()
	if err == nil {
		c.Detail = dir
		err = h.Writable(dir)
	}
	if err != nil {
		c.Detail = "this folder cannot be written: " + oneLine(err)
		c.Fix = "go to a folder you may write to, or use --out DIR"
		c.Required = false // --out is enough
		return c
	}
	return space(h, c, dir, minFolder, "")
}

func git(h Host) Check {
	return tool(h, "git", "modules without a proxy", "apt-get install git")
}

func tool(h Host, name, use, fix string) Check {
	c := Check{Name: name}
	where, err := h.LookPath(name)
	if err != nil {
		c.Detail, c.Fix = "not on PATH; used for "+use, fix
		return c
	}
	out, err := h.Output(where, "--version")
	if err != nil {
		c.Detail, c.Fix = where+" does not work: "+oneLine(err), fix
		return c
	}
	line, _, _ := strings.Cut(out, "\n")
	c.OK, c.Detail = true, strings.TrimSpace(line)
	return c
}

// compiler checks the C compiler that packages with cgo need.
func compiler(h Host, env map[string]string) Check {
	name := "gcc"
	if f := strings.Fields(env["CC"]); len(f) > 0 {
		name = f[0]
	}
	c := tool(h, name, "packages with cgo and parallax model", "apt-get install gcc libc6-dev")
	c.Name = "C compiler"
	if c.OK && env["CGO_ENABLED"] == "0" {
		c.OK = false
		c.Detail += ", but CGO_ENABLED=0"
		c.Fix = "packages with cgo will not build; unset CGO_ENABLED, or go env -u CGO_ENABLED"
	}
	return c
}

func cores(h Host) Check {
	n := h.Cores()
	c := Check{Name: "cores", OK: n >= minCores, Detail: strconv.Itoa(n)}
	if !c.OK {
		c.Fix = "parallax works, but slowly: the supervisor and a worker share one core"
	}
	return c
}

// memory checks the memory within the limit of the container's control group.
func memory(h Host) Check {
	c := Check{Name: "memory", OK: true}
	total, err := memTotal(h)
	if err != nil {
		c.Detail = "not known: " + oneLine(err)
		return c
	}
	c.Detail = units.Bytes(int64(min(total, 1<<62)))
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := h.ReadFile(file)
		if err != nil {
			continue
		}
		if n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil && n < total {
			total = n
			c.Detail = units.Bytes(int64(total)) + " (limit of the container)"
		}
	}
	if total < minMemory {
		c.OK = false
		c.Fix = "builds and workers need about " + units.Bytes(minMemory) + ": use --parallel 1"
	}
	return c
}

func memTotal(h Host) (uint64, error) {
	text, err := h.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == "MemTotal:" {
			n, err := strconv.ParseUint(f[1], 10, 53)
			return n << 10, err
		}
	}
	return 0, fmt.Errorf("no MemTotal in /proc/meminfo")
}

func shared(h Host) Check {
	c := Check{Name: "shared memory", Required: true, OK: true, Detail: "memfd_create, mmap and socketpair work"}
	if err := h.SharedMemory(); err != nil {
		c.OK, c.Detail = false, oneLine(err)
		c.Fix = "Linux 3.17 or newer is needed; in a container allow memfd_create in its seccomp profile"
	}
	return c
}

// processes checks the limit on processes, and whether a debugger can examine a hanging worker.
func processes(h Host) Check {
	c := Check{Name: "processes", OK: true, Detail: "no limit known"}
	if n, err := h.Processes(); err == nil {
		c.Detail = "no limit"
		if n < 1<<32 {
			c.Detail = "at most " + units.Thousands(n)
		}
		if n < minProcesses {
			c.OK, c.Fix = false, "compilers and workers may not start: raise it with ulimit -u"
		}
	}
	if text, err := h.ReadFile("/proc/sys/kernel/yama/ptrace_scope"); err == nil {
		if strings.TrimSpace(string(text)) == "3" {
			c.Detail += ", no debugger may attach (ptrace_scope 3)"
		}
	}
	return c
}

// limited checks how the kernel enforces the limits of programs.
func limited(h Host) Check {
	c := Check{Name: "limits"}
	held, err := h.Limits()
	if err != nil {
		c.Detail = "the kernel holds no program to a number of processes or to its memory: " + oneLine(err)
		c.Fix = "commands, drivers, services and C programs are refused without --no-limits. " + quota.Fix
		return c
	}
	c.OK, c.Detail = len(held.Open) == 0, held.How
	if !c.OK {
		c.Detail += "; " + strings.Join(held.Open, "; ")
		c.Fix = quota.Fix
	}
	return c
}

func screen(h Host) Check {
	c := Check{Name: "terminal", OK: true}
	name := h.Getenv("TERM")
	switch {
	case !h.Terminal():
		c.Detail = "none: the status is written line by line"
	case name == "" || name == "dumb":
		c.OK, c.Detail = false, "TERM="+name+": the status is written line by line"
		c.Fix = "set TERM, for example to xterm-256color, for the full-screen status"
	default:
		c.Detail = name
		if h.Getenv("NO_COLOR") != "" {
			c.Detail += ", no colors (NO_COLOR)"
		}
	}
	return c
}

// confinement checks the sandbox of commands and drivers.
func confinement(h Host) Check {
	c := Check{Name: "confinement"}
	notes, err := h.Sandbox()
	switch {
	case err != nil:
		c.Detail, c.Fix = oneLine(err), "commands and drivers of a configuration cannot run here; Go functions can"
	case len(notes) > 0:
		c.Detail, c.Fix = strings.Join(notes, "; "), "commands and drivers run without them; to have them, let ordinary users make namespaces (sysctl kernel.unprivileged_userns_clone, user.max_user_namespaces), or run as root"
	default:
		c.OK, c.Detail = true, "commands and drivers run in namespaces of their own"
	}
	return c
}
