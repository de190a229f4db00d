package filelock

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"
)

// Holder describes the process that holds an exclusive lock, as the file records it.
type Holder struct {
	Process int `json:"process"`
	// containers that share a folder have process numbers of their own
	Host    string    `json:"host"`
	Command []string  `json:"command"`
	Since   time.Time `json:"since"`
}

// recordHolder writes this process's description into the file, and reports whether it could. A
// full disk prevents it.
func recordHolder(f *os.File) bool {
	host, _ := os.Hostname()
	command := append([]string{filepath.Base(os.Args[0])}, os.Args[1:]...)
	text, err := json.Marshal(Holder{Process: os.Getpid(), Host: host, Command: command, Since: time.Now().Round(time.Second)})
	if err != nil || f.Truncate(0) != nil {
		return false
	}
	_, err = f.WriteAt(append(text, '\n'), 0)
	return err == nil
}

// HolderOf describes the process that holds the lock of a file.
func HolderOf(path string) string {
	var h Holder
	data, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(data, &h) != nil || h.Process <= 0 {
		return "another process"
	}
	if host, _ := os.Hostname(); h.Host != host {
		return fmt.Sprintf("process %d on %s%s", h.Process, h.Host, h.details())
	}
	if syscall.Kill(h.Process, 0) == syscall.ESRCH { // it was killed, and another process has the lock
		return "another process"
	}
	return fmt.Sprintf("process %d%s", h.Process, h.details())
}

// maxCommand is the number of characters of a command in a message.
const maxCommand = 120

// details describes the holder's command, and the time since when it has held the lock.
func (h *Holder) details() string {
	command := strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return '?'
	}, strings.Join(h.Command, " "))
	if r := []rune(command); len(r) > maxCommand {
		command = string(r[:maxCommand]) + "…"
	}
	text := fmt.Sprintf(" (%s, since %s", command, h.Since.Local().Format(time.TimeOnly))
	if host, _ := os.Hostname(); h.Host == host && stopped(h.Process) {
		text += fmt.Sprintf("; it is stopped, and `kill -CONT %d` continues it", h.Process)
	}
	return text + ")"
}

// stopped reports whether a process is stopped, as by ^Z.
func stopped(process int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(process) + "/stat")
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " ")
	return strings.HasPrefix(after, "T") || strings.HasPrefix(after, "t")
}
