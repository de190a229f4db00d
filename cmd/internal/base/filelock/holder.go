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

// A Holder is who locked a file for itself, as the file says.
type Holder struct {
	Process int       `json:"process"`
	Host    string    `json:"host"` // containers that share a folder have process numbers of their own
	Command []string  `json:"command"`
	Since   time.Time `json:"since"`
}

// note writes who holds a lock into its file, and reports whether it did: a full disk takes nothing.
func note(f *os.File) bool {
	host, _ := os.Hostname()
	command := append([]string{filepath.Base(os.Args[0])}, os.Args[1:]...)
	text, err := json.Marshal(Holder{Process: os.Getpid(), Host: host, Command: command, Since: time.Now().Round(time.Second)})
	if err != nil || f.Truncate(0) != nil {
		return false
	}
	_, err = f.WriteAt(append(text, '\n'), 0)
	return err == nil
}

// HolderOf returns in words who holds the lock of a file.
func HolderOf(path string) string {
	var h Holder
	data, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(data, &h) != nil || h.Process <= 0 {
		return "another process"
	}
	if host, _ := os.Hostname(); h.Host != host {
		return fmt.Sprintf("process %d on %s%s", h.Process, h.Host, h.rest())
	}
	if syscall.Kill(h.Process, 0) == syscall.ESRCH { // it was killed, and another one has the lock
		return "another process"
	}
	return fmt.Sprintf("process %d%s", h.Process, h.rest())
}

// maxCommand is how much of a command a message shows.
const maxCommand = 120

// rest says what the holder runs, and since when it has held the lock.
func (h *Holder) rest() string {
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
