package doctor

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// healthy returns a machine that passes all checks.
func healthy() Host {
	return Host{
		OS: "linux", Arch: "amd64",
		LookPath: func(p string) (string, error) { return "/usr/bin/" + p, nil },
		Output: func(p string, args ...string) (string, error) {
			if strings.HasSuffix(p, "/go") {
				return goEnv(nil), nil
			}
			if strings.Contains(p, "clang") && len(args) == 1 && strings.HasPrefix(args[0], "-print-file-name=") {
				return "/usr/lib/clang/" + strings.TrimPrefix(args[0], "-print-file-name=") + "\n", nil
			}
			if strings.Contains(p, "clang") {
				return "Debian clang version 19.1.7 (3+b1)\nTarget: x86_64-pc-linux-gnu\n", nil
			}
			return filepath.Base(p) + " version 1\nmore\n", nil
		},
		Getenv: func(name string) string { return map[string]string{"TERM": "xterm-256color"}[name] },
		ReadFile: func(name string) ([]byte, error) {
			if name == "/proc/meminfo" {
				return []byte("MemTotal:       16384000 kB\nMemFree: 1 kB\n"), nil
			}
			return nil, os.ErrNotExist
		},
		WorkDir:      func() (string, error) { return "/home/u/module", nil },
		Writable:     func(string) error { return nil },
		Free:         func(string) (uint64, error) { return 100 << 30, nil },
		Cores:        func() int { return 8 },
		SharedMemory: func() error { return nil },
		Sandbox:      func() ([]string, error) { return nil, nil },
		Limits:       func() (Held, error) { return Held{How: "control groups (cgroup v2): processes and memory"}, nil },
		Processes:    func() (uint64, error) { return 1 << 20, nil },
		Terminal:     func() bool { return true },
	}
}

func goEnv(change map[string]string) string {
	env := map[string]string{
		"GOVERSION": "go1.26.0", "GOFLAGS": "", "GOTOOLCHAIN": "auto", "GOPROXY": "https://proxy,direct",
		"GOCACHE": "/cache", "GOMODCACHE": "/mod", "CC": "gcc", "CGO_ENABLED": "1",
	}
	for k, v := range change {
		env[k] = v
	}
	var fields []string
	for k, v := range env {
		fields = append(fields, `"`+k+`":"`+v+`"`)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

func withGoEnv(h *Host, change map[string]string) {
	was := h.Output
	h.Output = func(p string, args ...string) (string, error) {
		if strings.HasSuffix(p, "/go") {
			return goEnv(change), nil
		}
		return was(p, args...)
	}
}

func without(h *Host, program string) {
	h.LookPath = func(p string) (string, error) {
		if p == program {
			return "", errors.New("not found")
		}
		return "/usr/bin/" + p, nil
	}
}

// only returns a PATH with a few programs.
func only(programs ...string) func(string) (string, error) {
	return func(p string) (string, error) {
		for _, have := range programs {
			if p == have {
				return "/usr/bin/" + p, nil
			}
		}
		return "", errors.New("not found")
	}
}

func clangSays(h *Host, version, library string) {
	was := h.Output
	h.Output = func(p string, args ...string) (string, error) {
		switch {
		case !strings.Contains(p, "clang"):
			return was(p, args...)
		case args[0] == "--version":
			return version, nil
		}
		return library, nil
	}
}

func TestHealthy(t *testing.T) {
	checks := Run(healthy())
	if Code(checks) != 0 {
		t.Errorf("code %d", Code(checks))
	}
	for _, c := range checks {
		if !c.OK || c.Fix != "" || c.Detail == "" {
			t.Errorf("%+v", c)
		}
	}
	var b strings.Builder
	if err := Print(&b, checks, 200); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(b.String(), "\nparallax can run here\n") {
		t.Errorf("%s", b.String())
	}
}

func TestFailures(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Host)
		check  string // the failing check
		code   int
		detail string // a part of its detail
		fix    string // a part of its fix
	}{
		{"no go", func(h *Host) { without(h, "go") }, "go", 4, "not on PATH", "go.dev"},
		{"go fails", func(h *Host) {
			h.Output = func(p string, _ ...string) (string, error) { return "", errors.New("no such\ntoolchain") }
		}, "go", 4, "no such toolchain", "go env"},
		{"go says nonsense", func(h *Host) {
			h.Output = func(p string, _ ...string) (string, error) { return "?", nil }
		}, "go", 4, "does not answer", "go env"},
		{"old go", func(h *Host) { withGoEnv(h, map[string]string{"GOVERSION": "go1.21.13"}) }, "go", 4, "go1.21.13", "go1.22"},
		{"no version", func(h *Host) { withGoEnv(h, map[string]string{"GOVERSION": ""}) }, "go", 4, "unknown", "go1.22"},
		{"platform", func(h *Host) { h.OS = "darwin" }, "platform", 4, "darwin/amd64", "container"},
		{"toolexec", func(h *Host) { withGoEnv(h, map[string]string{"GOFLAGS": "-toolexec=x -trimpath"}) }, "GOFLAGS", 0, "-toolexec=x", "-toolexec: "},
		{"two dashes", func(h *Host) { withGoEnv(h, map[string]string{"GOFLAGS": "--race"}) }, "GOFLAGS", 0, "--race", "-race: "},
		{"vendor", func(h *Host) { withGoEnv(h, map[string]string{"GOFLAGS": "-mod=vendor"}) }, "GOFLAGS", 0, "vendor", "-mod=vendor: "},
		{"toolchain", func(h *Host) { withGoEnv(h, map[string]string{"GOTOOLCHAIN": "local"}) }, "GOTOOLCHAIN", 0, "local", "go1.26.0"},
		{"no proxy", func(h *Host) { withGoEnv(h, map[string]string{"GOPROXY": "off"}) }, "module proxy", 0, "off", "GOPROXY"},
		{"no cache", func(h *Host) { withGoEnv(h, map[string]string{"GOCACHE": ""}) }, "build cache", 4, "none", "HOME"},
		{"cache off", func(h *Host) { withGoEnv(h, map[string]string{"GOCACHE": "off"}) }, "build cache", 4, "none", "GOCACHE"},
		{"read-only cache", func(h *Host) {
			h.Writable = func(d string) error {
				if d == "/mod" {
					return os.ErrPermission
				}
				return nil
			}
		}, "module cache", 4, "/mod: permission denied", "GOMODCACHE"},
		{"full disk", func(h *Host) {
			h.Free = func(d string) (uint64, error) {
				if d == "/cache" {
					return 1 << 20, nil
				}
				return 1 << 40, nil
			}
		}, "build cache", 4, "1.0 MiB left", "1.0 GiB"},
		{"no git", func(h *Host) { without(h, "git") }, "git", 0, "not on PATH", "apt-get install git"},
		{"no gcc", func(h *Host) { without(h, "gcc") }, "C compiler", 0, "not on PATH", "apt-get install gcc"},
		{"CC", func(h *Host) { withGoEnv(h, map[string]string{"CC": "clang -m64"}); without(h, "clang") }, "C compiler", 0, "not on PATH", "apt-get"},
		{"no python", func(h *Host) { without(h, "python3") }, "python3", 0, "not on PATH; used for the engines of parallax model", "apt-get install python3 python3-venv"},
		{"python without venv", func(h *Host) {
			was := h.Output
			h.Output = func(p string, args ...string) (string, error) {
				if strings.HasSuffix(p, "/python3") && args[0] == "-c" {
					return "", errors.New("no module named ensurepip")
				}
				return was(p, args...)
			}
		}, "python3", 0, "without venv and pip", "python3-venv"},
		{"no z3", func(h *Host) { without(h, "z3") }, "z3", 0, "used for parallax model", "apt-get install z3"},
		{"no cvc5", func(h *Host) { without(h, "cvc5") }, "cvc5", 0, "used for parallax model", "apt-get install cvc5"},
		{"no php", func(h *Host) { without(h, "php") }, "php", 0, "used for parallax model of PHP's functions", "apt-get install php-cli"},
		{"no clang", func(h *Host) { h.LookPath = only("go", "git", "gcc") }, "clang", 0, "not on PATH", "apt-get install clang-19 libclang-rt-19-dev"},
		{"old clang", func(h *Host) { clangSays(h, "clang version 14.0.6\n", "/lib/a\n") }, "clang", 0, "clang 14.0.6", "clang 16 or newer"},
		{"no clang at all", func(h *Host) { clangSays(h, "gcc 12\n", "/lib/a\n") }, "clang", 0, "is not clang", "apt-get install"},
		{"no sanitizers", func(h *Host) { clangSays(h, "clang version 18.1.8\n", "libclang_rt.asan-x86_64.a\n") }, "clang", 0, "without the libraries", "libclang-rt-18-dev"},
		{"PARALLAX_CLANG", func(h *Host) {
			h.Getenv = func(name string) string {
				return map[string]string{"TERM": "xterm", "PARALLAX_CLANG": "clang-77"}[name]
			}
			without(h, "clang-77")
		}, "clang", 0, "names clang-77", "unset PARALLAX_CLANG"},
		{"cgo off", func(h *Host) { withGoEnv(h, map[string]string{"CGO_ENABLED": "0"}) }, "C compiler", 0, "CGO_ENABLED=0", "CGO_ENABLED"},
		{"one core", func(h *Host) { h.Cores = func() int { return 1 } }, "cores", 0, "1", "slowly"},
		{"container", func(h *Host) {
			was := h.ReadFile
			h.ReadFile = func(name string) ([]byte, error) {
				if name == "/sys/fs/cgroup/memory.max" {
					return []byte("536870912\n"), nil
				}
				return was(name)
			}
		}, "memory", 0, "512.0 MiB (limit", "--parallel 1"},
		{"memfd", func(h *Host) {
			h.SharedMemory = func() error { return errors.New("memfd_create: operation not permitted") }
		}, "shared memory", 4, "memfd_create", "seccomp"},
		{"no limits", func(h *Host) {
			h.Limits = func() (Held, error) { return Held{}, errors.New("cgroup v2: it is not mounted") }
		}, "limits", 0, "it is not mounted", "--no-limits"},
		{"memory not held", func(h *Host) {
			h.Limits = func() (Held, error) {
				return Held{How: "user namespaces with RLIMIT_NPROC: processes", Open: []string{"the memory of Go functions is looked at"}}, nil
			}
		}, "limits", 0, "RLIMIT_NPROC: processes; the memory of Go", "control groups"},
		{"no namespaces", func(h *Host) {
			h.Sandbox = func() ([]string, error) { return []string{"programs keep the network"}, nil }
		}, "confinement", 0, "keep the network", "namespaces"},
		{"ulimit", func(h *Host) { h.Processes = func() (uint64, error) { return 64, nil } }, "processes", 0, "at most 64", "ulimit -u"},
		{"read-only folder", func(h *Host) {
			h.Writable = func(d string) error {
				if d == "/home/u/module" {
					return os.ErrPermission
				}
				return nil
			}
		}, "campaign folder", 0, "permission denied", "--out"},
		{"full folder", func(h *Host) {
			h.Free = func(d string) (uint64, error) {
				if d == "/home/u/module" {
					return 0, nil
				}
				return 1 << 40, nil
			}
		}, "campaign folder", 4, "0 B left", "make room"},
		{"dumb", func(h *Host) { h.Getenv = func(string) string { return "dumb" } }, "terminal", 0, "TERM=dumb", "xterm"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := healthy()
			tt.change(&h)
			checks := Run(h)
			if got := Code(checks); got != tt.code {
				t.Errorf("code %d, want %d", got, tt.code)
			}
			var failed []Check
			for _, c := range checks {
				if !c.OK {
					failed = append(failed, c)
				}
			}
			found := false
			for _, c := range failed {
				found = found || c.Name == tt.check && strings.Contains(c.Detail, tt.detail) && strings.Contains(c.Fix, tt.fix)
				if c.Required != (tt.code == 4) && c.Name == tt.check {
					t.Errorf("required %v", c.Required)
				}
			}
			if !found {
				t.Errorf("failed: %+v", failed)
			}
		})
	}
}

// TestUnknown checks that an unknown fact is no failure.
func TestUnknown(t *testing.T) {
	h := healthy()
	h.ReadFile = func(name string) ([]byte, error) {
		if strings.HasSuffix(name, "ptrace_scope") {
			return []byte("3\n"), nil
		}
		return nil, os.ErrNotExist
	}
	h.Free = func(string) (uint64, error) { return 0, errors.New("statfs: not supported") }
	h.Processes = func() (uint64, error) { return 0, errors.New("not supported") }
	h.Terminal = func() bool { return false }
	withGoEnv(&h, map[string]string{"GOVERSION": "devel go1.27-abc"})
	var b strings.Builder
	checks := Run(h)
	if err := Print(&b, checks, 200); err != nil || Code(checks) != 0 {
		t.Errorf("%v, code %d", err, Code(checks))
	}
	for _, want := range []string{"space not known: statfs", "ptrace_scope 3", "not known: file does not exist", "line by line", "devel"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "advice") {
		t.Errorf("%s", b.String())
	}
}

func TestPrint(t *testing.T) {
	var b strings.Builder
	err := Print(&b, []Check{
		{Name: "go", Required: true, Detail: "not on PATH", Fix: "install Go"},
		{Name: "git", Detail: "1\x1b[31m", Fix: "apt-get install git"},
		{Name: "cores", OK: true, Detail: "8"},
		{Name: "disk", OK: true, Detail: strings.Repeat("word ", 8)},
	}, 50)
	want := `missing  go     not on PATH
                -> install Go
advice   git    1\x1b[31m
                -> apt-get install git
ok       cores  8
ok       disk   word word word word word word word
                word

parallax cannot run here yet: 1 required missing
`
	if err != nil || b.String() != want {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// TestSystem checks that the checks run on this machine, whatever their results.
func TestSystem(t *testing.T) {
	h := System()
	dir := t.TempDir()
	if err := h.Writable(filepath.Join(dir, "not", "yet")); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if h.OS == "linux" {
		if n, err := h.Free(filepath.Join(dir, "not", "yet")); err != nil || n == 0 {
			t.Error(n, err)
		}
		if err := h.SharedMemory(); err != nil {
			t.Error(err)
		}
	}
	if _, err := h.Output("go", "no-such-command"); err == nil || !strings.Contains(err.Error(), "no-such-command") {
		t.Errorf("%v", err)
	}
}
