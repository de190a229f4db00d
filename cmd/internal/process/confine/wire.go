package confine

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/process/quota"
)

// The control socket carries frames: four bytes of length, little-endian, and a JSON object.
// Descriptors travel with the length. The content of files follows the request that names them.
// Arguments and environment are bytes, because they need not be UTF-8.

// spec is the first frame: the configuration of the sandbox.
type spec struct {
	PID     bool `json:"pid"`     // it is the first process of a PID namespace
	Private bool `json:"private"` // it has a mount namespace
	User    bool `json:"user"`    // it has a user namespace
	Net     bool `json:"net"`     // it has a network namespace

	// the parent of the private folder: a mount point, or a folder that the owner created
	Base      string `json:"base"`
	Made      bool   `json:"made"` // remove Base at the end
	TempMB    int    `json:"tempMB"`
	Memory    int64  `json:"memory"`
	FileSize  int64  `json:"fileSize"`
	Processes int    `json:"processes"`
	Network   bool   `json:"network"`

	Group *quota.Shared `json:"group,omitempty"` // the control group of the programs; its descriptors follow the socket's
	Tasks int           `json:"tasks"`           // limit by RLIMIT_NPROC; 0 means none
	Spare int           `json:"spare"`           // user of the programs; 0 means this user
	Owner []int         `json:"owner"`           // processes that programs must not signal

	// folders that programs may write; empty means all that their user may write
	Writable []string `json:"writable,omitempty"`
	ReadOnly bool     `json:"read_only,omitempty"`
}

// ready answers spec.
type ready struct {
	Error string   `json:"error,omitempty"`
	Notes []string `json:"notes,omitempty"`
}

// request starts a program, or kills or signals the one with that number.
type request struct {
	Seq     int      `json:"seq"`
	Kill    bool     `json:"kill,omitempty"`
	Signal  int      `json:"signal,omitempty"` // to send to the current process
	Path    string   `json:"path,omitempty"`
	Args    [][]byte `json:"args,omitempty"`
	Env     [][]byte `json:"env,omitempty"`
	Dir     string   `json:"dir,omitempty"`
	Files   []file   `json:"files,omitempty"`
	Keep    string   `json:"keep,omitempty"`
	Streams [3]bool  `json:"streams,omitempty"` // which standard streams follow
}

type file struct {
	Name string `json:"name"`
	Size int    `json:"size"`
}

// reply reports that a program was started, failed to start, or has ended.
type reply struct {
	Pid    int    `json:"pid,omitempty"`
	Errno  int    `json:"errno,omitempty"`
	What   string `json:"what,omitempty"` // the path at fault
	Exit   int    `json:"exit,omitempty"`
	Signal int    `json:"signal,omitempty"`
	OOM    bool   `json:"oom,omitempty"`
	Forked bool   `json:"forked,omitempty"`
	CPU    int64  `json:"cpu,omitempty"` // nanoseconds
}

// frameLimit is far above the size of a command line, the largest part of a frame.
const frameLimit = 64 << 20

// frame encodes v.
func frame(v any) ([]byte, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return append(binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(body)), uint32(len(body))), body...), nil
}

// decode reads the rest of a frame, whose first four bytes are head.
func decode(r io.Reader, head []byte, v any) error {
	n := binary.LittleEndian.Uint32(head)
	if n > frameLimit {
		return fmt.Errorf("a frame of %d bytes", n)
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); err != nil {
		return err
	}
	return json.Unmarshal(body, v)
}

// rights returns the descriptors in the control messages oob.
func rights(oob []byte) ([]int, error) {
	if len(oob) == 0 {
		return nil, nil
	}
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil {
		return nil, err
	}
	var all []int
	for i := range messages {
		fds, err := unix.ParseUnixRights(&messages[i])
		if err != nil {
			return all, err
		}
		all = append(all, fds...)
	}
	return all, nil
}

// socket is the sandbox's end of the control socket. It is blocking, and for one thread.
type socket int

func (s socket) Read(p []byte) (int, error) {
	for {
		n, err := unix.Read(int(s), p)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return 0, err
		case n == 0 && len(p) > 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

// receive reads a frame and the descriptors that came with it.
func (s socket) receive(v any) ([]int, error) {
	head, oob := make([]byte, 4), make([]byte, unix.CmsgSpace(3*4))
	var fds []int
	for got := 0; got < len(head); {
		n, oobn, _, _, err := unix.Recvmsg(int(s), head[got:], oob, unix.MSG_CMSG_CLOEXEC)
		if err == unix.EINTR {
			continue
		}
		if err == nil && n == 0 {
			err = io.EOF
		}
		if err != nil {
			return fds, err
		}
		more, err := rights(oob[:oobn])
		fds = append(fds, more...)
		if err != nil {
			return fds, err
		}
		got += n
	}
	return fds, decode(s, head, v)
}

// send writes a frame, with a descriptor unless it is -1.
func (s socket) send(v any, fd int) error {
	data, err := frame(v)
	if err != nil {
		return err
	}
	var oob []byte
	if fd >= 0 {
		oob = unix.UnixRights(fd)
	}
	for len(data) > 0 {
		n, err := unix.SendmsgN(int(s), data, oob, nil, unix.MSG_NOSIGNAL)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		data, oob = data[n:], nil
	}
	return nil
}
