package box

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/process/quota"
	"parallax/internal/sequence"
)

// A box may have a service: a command that the worker's programs reach over a socket in a folder.
// Both see the folder under one name (sequence.ServiceFolder). `parallax box --service` starts the
// service in the worker's namespaces, so that it ends with them, and restarts it when it ends. The
// service has a root of its own, with that folder and a read-only copy of the machine's programs.
// It has no capability.

// serviceVariable names the environment variable with the command's words in JSON, for `parallax
// box`.
const serviceVariable = "PARALLAX_SERVICE"

// roots lists the machine's folders and files that a service sees.
var roots = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
	"/etc/localtime", "/etc/passwd", "/etc/group", "/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/proc",
}

// servicePath is the search path for the service's command.
const servicePath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// restartPause is the pause before a restart of the service. It keeps a service that cannot start
// from using up a processor.
const restartPause = 20 * time.Millisecond

// environ adds the service to a command's environment.
func environ(env, service []string) []string {
	if len(service) == 0 {
		return env
	}
	if env == nil {
		env = os.Environ()
	}
	text, err := json.Marshal(service)
	if err != nil {
		panic(err) // strings always marshal
	}
	return append(env, serviceVariable+"="+string(text))
}

// startService starts the service that the environment names, if any, in its own root. It returns
// the reason if it cannot.
func startService(folder string) error {
	text := os.Getenv(serviceVariable)
	if text == "" {
		return nil
	}
	os.Unsetenv(serviceVariable)
	var service []string
	if err := json.Unmarshal([]byte(text), &service); err != nil || len(service) == 0 {
		return fmt.Errorf("%s is no command: %q", serviceVariable, text)
	}
	if err := os.Mkdir(filepath.Join(folder, sequence.ServiceFolder), 0o755); err != nil {
		return err
	}
	tool, err := os.Executable()
	if err != nil {
		return err
	}
	answer, theirs, err := os.Pipe()
	if err != nil {
		return err
	}
	defer answer.Close()
	cmd := exec.Command(tool, append([]string{"box", "--service", folder}, service...)...)
	cmd.Stdout = theirs
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNS}
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		return fmt.Errorf("starting the service: %w", err)
	}
	said, err := io.ReadAll(answer)
	if err == nil && len(said) > 0 {
		err = errors.New(string(said))
	}
	return err
}

// serve is `parallax box --service FOLDER COMMAND...`. It prints the reason on standard output if
// the service cannot start.
func serve(folder string, service []string) int {
	closeInherited()
	err := enterServiceRoot(folder, filepath.Dir(service[0]))
	if err == nil {
		err = quota.RestrictSyscalls(families)
	}
	if err == nil {
		os.Clearenv()
		for _, v := range []string{"PATH=" + servicePath, "HOME=" + sequence.ServiceFolder, "TMPDIR=" + sequence.ServiceFolder, "LANG=C.UTF-8"} {
			name, value, _ := strings.Cut(v, "=")
			os.Setenv(name, value)
		}
		_, err = exec.LookPath(service[0])
	}
	if err != nil {
		fmt.Printf("the service %s does not start: %v", service[0], err)
		return 1
	}
	os.Stdout.Close()
	for {
		run(service)
		time.Sleep(restartPause)
	}
}

// closeInherited closes the worker's files: the process that becomes the worker started this one.
func closeInherited() {
	const most = 64
	for fd := 3; fd < most; fd++ {
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			unix.Close(fd)
		}
	}
}

// enterServiceRoot creates the root of a service. command is the folder of an executable outside of
// roots, or "." for one in it.
func enterServiceRoot(folder, command string) error {
	shared, err := unix.Open(filepath.Join(folder, sequence.ServiceFolder), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(shared)
	// a mount below may cover the folder
	own, err := unix.Open(command, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: command, Err: err}
	}
	defer unix.Close(own)
	const quiet = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	if err := unix.Mount("tmpfs", folder, "tmpfs", quiet, "size=1m,mode=0755"); err != nil {
		return fmt.Errorf("mounting its root: %w", err)
	}
	bind := func(source, path string, dir bool) error {
		at := filepath.Join(folder, path)
		err := os.MkdirAll(filepath.Dir(at), 0o755)
		if err == nil && dir {
			err = os.MkdirAll(at, 0o755)
		} else if err == nil {
			err = os.WriteFile(at, nil, 0o644)
		}
		if err != nil {
			return err
		}
		return os.NewSyscallError("mount "+path, unix.Mount(source, at, "", unix.MS_BIND|unix.MS_REC, ""))
	}
	for _, path := range roots {
		info, err := os.Lstat(path)
		if err != nil {
			continue
		}
		if info.Mode()&os.ModeSymlink != 0 && filepath.Dir(path) == "/" { // such as /lib, a link to usr/lib
			to, err := os.Readlink(path)
			if err == nil {
				err = os.Symlink(to, filepath.Join(folder, path))
			}
			if err != nil {
				return err
			}
			continue
		}
		if err := bind(path, path, info.IsDir()); err != nil {
			return err
		}
	}
	if filepath.IsAbs(command) {
		if _, err := os.Stat(filepath.Join(folder, command)); err != nil {
			if err := bind(fmt.Sprintf("/proc/self/fd/%d", own), command, true); err != nil {
				return err
			}
		}
	}
	if err := bind(fmt.Sprintf("/proc/self/fd/%d", shared), sequence.ServiceFolder, true); err != nil {
		return err
	}
	if err := unix.Mount("", folder, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|quiet, ""); err != nil {
		return fmt.Errorf("making its root read-only: %w", err)
	}
	if err := unix.Chroot(folder); err != nil {
		return os.NewSyscallError("chroot", err)
	}
	if err := os.Chdir(sequence.ServiceFolder); err != nil {
		return err
	}
	return dropCapabilities()
}

// run runs a service until it ends. A file in its folder holds the output since the latest start.
func run(service []string) {
	log, err := os.Create(filepath.Join(sequence.ServiceFolder, sequence.ServiceLog))
	if err != nil {
		return
	}
	defer log.Close()
	cmd := exec.Command(service[0], service[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = sequence.ServiceFolder, log, log
	if err := cmd.Run(); err != nil {
		fmt.Fprintf(log, "%s: %v\n", service[0], err)
	}
}
