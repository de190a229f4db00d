package persistent

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
)

const (
	greeting = "parallax-driver 1" // begins the first line; "features=N" and other words follow
	// maxFeatures bounds the table of counts. It is far above the needs of drivers: hash collisions
	// are rare in 1 << 16. A campaign has a map of all features of all programs for each program.
	maxFeatures = 1 << 20
	// maxFeatureBytes bounds the features of one answer. Counts matter up to 255 only.
	maxFeatureBytes = 64 << 20
	// defaultOutput bounds a text without a configured limit, so that four stray bytes do not
	// request gigabytes.
	defaultOutput = 64 << 20
	// maxTable bounds the table of blocks, about 20 bytes each.
	maxTable = 64 << 20
	shown    = 64 // bytes of the driver's output in an error
)

// answers reads the driver's output. The deadline is for one answer.
type answers struct {
	file     *os.File
	in       *bufio.Reader
	limit    time.Duration
	deadline time.Time
	armed    bool // the deadline is set on file
	late     bool // it has passed, and one more read was tried

	counts  []uint8 // of each feature; zero between answers that list features
	dense   bool    // answers have the counts of all features
	named   bool    // answers have the numbers of their requests
	count   uint32  // number of answers so far, and of the next request
	header  [13]byte
	scratch [4096]byte
}

func newAnswers(file *os.File) *answers {
	a := &answers{file: file}
	a.in = bufio.NewReaderSize(reads{a}, 64<<10)
	return a
}

// await sets the time limit of the next answer, from now on. Zero means no limit.
func (a *answers) await(limit time.Duration) {
	a.limit, a.armed, a.late = limit, false, false
	if limit > 0 {
		a.deadline = time.Now().Add(limit)
	}
}

// reads is the reader below the buffer. It sets the deadline only when it has to wait for the
// driver.
type reads struct{ *answers }

func (a reads) Read(p []byte) (int, error) {
	if !a.armed {
		a.armed = true
		deadline := a.deadline
		if a.limit <= 0 {
			deadline = time.Time{}
		}
		a.file.SetReadDeadline(deadline)
	}
	n, err := a.file.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) && !a.late {
		// One more read: this process may have lacked a processor while the answer arrived in time.
		a.late = true
		a.file.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
		n, err = a.file.Read(p)
	}
	return n, err
}

// unsolicited returns output of the driver without a request, as far as it has arrived.
func (a *answers) unsolicited() []byte {
	if a.in.Buffered() == 0 {
		raw, err := a.file.SyscallConn()
		if err != nil {
			return nil
		}
		n := 0
		raw.Read(func(fd uintptr) bool {
			n, _ = syscall.Read(int(fd), a.scratch[:shown])
			return true
		})
		return bytes.Clone(a.scratch[:max(n, 0)])
	}
	return a.received(nil)
}

// received returns the beginning of the driver's output: the bytes already read, and the buffered
// ones.
func (a *answers) received(read []byte) []byte {
	rest, _ := a.in.Peek(min(a.in.Buffered(), shown))
	all := append(bytes.Clone(read), rest...)
	return all[:min(len(all), shown)]
}

// hello is a driver's greeting.
type hello struct {
	features int
	counts   bool   // answers have a byte for each feature
	numbers  bool   // answers have the numbers of their requests
	table    []byte // of the blocks that are the features; nil if unknown
}

// greeting reads the first line, and the table that may follow.
func (a *answers) greeting() (hello, error) {
	line, err := a.in.ReadSlice('\n')
	if err != nil && len(line) == 0 {
		return hello{}, ended(err)
	}
	came := bytes.Clone(line[:min(len(line), shown)])
	words, found := strings.CutPrefix(strings.TrimRight(string(line), "\r\n"), greeting)
	if !found || err != nil || words != "" && words[0] != ' ' {
		what := fmt.Sprintf("its first line is not the greeting %q", greeting)
		if strings.HasPrefix(string(line), "parallax-driver ") && !found {
			what = "it speaks another version of the protocol, and this parallax version 1"
		}
		return hello{}, &violation{What: what, Received: came}
	}
	var h hello
	table := 0
	for _, word := range strings.Fields(words) {
		name, number, _ := strings.Cut(word, "=")
		n, err := strconv.Atoi(number)
		switch {
		case name == "features" && err == nil && n >= 0 && n <= maxFeatures:
			h.features = n
		case name == "table" && err == nil && n > 0 && n <= maxTable:
			table = n
		case word == "counts":
			h.counts = true
		case word == "numbers":
			h.numbers = true
		default:
			return hello{}, &violation{What: fmt.Sprintf("its greeting says %q, where features=N, counts, numbers and table=BYTES are possible, N at most %d, BYTES at most %d", word, maxFeatures, maxTable), Received: came}
		}
	}
	if table > 0 {
		text, err := a.read(nil, nil, table)
		if err != nil {
			return hello{}, err
		}
		if _, err = readTable(text, h.features); err != nil {
			return hello{}, &violation{What: fmt.Sprintf("its table of blocks cannot be used: %v", err), Received: bounded(text, shown)}
		}
		h.table = text
	}
	a.counts, a.dense, a.named = make([]uint8, h.features), h.counts, h.numbers
	return h, nil
}

// ended maps a read error to the state of the driver.
func ended(err error) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errLate
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, os.ErrClosed):
		return errClosed
	}
	return err
}

// next reads one answer into o, which must be reset. An incomplete answer is a violation if the
// driver keeps running, and its end otherwise.
func (a *answers) next(o *program.Observation, output int) error {
	header, least := a.header[:9], 5
	if a.named {
		header, least = a.header[:], 9
	}
	for got := 0; got < len(header); {
		n, err := a.in.Read(header[got:])
		got += n
		if got >= 4 && binary.LittleEndian.Uint32(header) < uint32(least) {
			return &violation{What: fmt.Sprintf("an answer's length is at least %d, not %d", least, binary.LittleEndian.Uint32(header)), Received: a.received(header[:got])}
		}
		if err = ended(err); err == errLate && got > 0 {
			return a.incomplete(header[:got])
		} else if err != nil {
			return err
		}
	}
	length, rest := int(binary.LittleEndian.Uint32(header)), header[4:]
	if a.named {
		if n := binary.LittleEndian.Uint32(rest); n != a.count {
			return &violation{What: fmt.Sprintf("an answer is to request %d of this process, and request %d is the next without one", n, a.count), Order: true, Received: a.received(header)}
		}
		length, rest = length-4, rest[4:]
	}
	text := int(binary.LittleEndian.Uint32(rest[1:]))
	if what := a.headerError(length, rest[0], text); what != "" {
		return &violation{What: what, Received: a.received(header)}
	}
	if output <= 0 {
		output = defaultOutput
	}
	if text > output {
		return flood(output)
	}
	value, err := a.read(header, o.Value[:0], text)
	if err != nil {
		return err
	}
	o.Value = value
	if a.dense {
		err = a.readCounts(o, header, length-5-text)
	} else {
		err = a.readFeatures(o, header, (length-5-text)/4)
	}
	if err != nil {
		return err
	}
	a.count++
	verdict(o, rest[0])
	return nil
}

// headerError describes an invalid header, or returns "". length excludes the number of the
// request.
func (a *answers) headerError(length int, verdict byte, text int) string {
	switch {
	case !strings.ContainsRune("ARDC", rune(verdict)):
		return fmt.Sprintf("an answer's verdict is A, R, D or C, not %q", verdict)
	case text > length-5:
		return fmt.Sprintf("an answer of %d bytes cannot have a text of %d", length, text)
	case a.dense && length-5-text != 0 && length-5-text != len(a.counts):
		return fmt.Sprintf("after the text of an answer come the counts of %d features or none, not %d bytes", len(a.counts), length-5-text)
	case a.dense:
	case (length-5-text)%4 != 0:
		return fmt.Sprintf("after the text of an answer come features of 4 bytes each, not %d bytes", length-5-text)
	case length-5-text > 0 && len(a.counts) == 0:
		return "an answer has features, and the greeting had no features=N"
	case length-5-text > maxFeatureBytes:
		return fmt.Sprintf("an answer has %d features, and at most %d are read", (length-5-text)/4, maxFeatureBytes/4)
	}
	return ""
}

// read reads n bytes of an answer into buf.
func (a *answers) read(header, buf []byte, n int) ([]byte, error) {
	if cap(buf) < n {
		buf = make([]byte, n)
	}
	got, err := io.ReadFull(a.in, buf[:n])
	if err == nil {
		return buf[:n], nil
	}
	if err = ended(err); err == errLate {
		return nil, a.incomplete(slices.Concat(header, buf[:min(got, shown)]))
	}
	return nil, err
}

// incomplete returns the violation of an incomplete answer.
func (a *answers) incomplete(came []byte) error {
	return &violation{What: fmt.Sprintf("an answer stops in the middle, and nothing more came for %v", a.limit), Received: a.received(came)}
}

// readFeatures reads n numbers, counts each, and sorts them.
func (a *answers) readFeatures(o *program.Observation, header []byte, n int) error {
	o.Features, o.Counts = o.Features[:0], o.Counts[:0]
	bad := -1
	for n > 0 {
		part, err := a.read(header, a.scratch[:0], 4*min(n, len(a.scratch)/4))
		if err != nil {
			clear(a.counts)
			return err
		}
		n -= len(part) / 4
		for ; len(part) > 0; part = part[4:] {
			f := binary.LittleEndian.Uint32(part)
			if int64(f) >= int64(len(a.counts)) {
				bad = int(f)
				continue
			}
			if a.counts[f] == 0 {
				o.Features = append(o.Features, f)
			}
			if a.counts[f] < 255 {
				a.counts[f]++
			}
		}
	}
	slices.Sort(o.Features)
	for _, f := range o.Features {
		o.Counts = append(o.Counts, a.counts[f])
		a.counts[f] = 0
	}
	if bad >= 0 {
		return &violation{What: fmt.Sprintf("an answer has feature %d, and the greeting says features=%d", bad, len(a.counts)), Received: a.received(header)}
	}
	return nil
}

// readCounts reads the counts of all features.
func (a *answers) readCounts(o *program.Observation, header []byte, n int) error {
	o.Features, o.Counts = o.Features[:0], o.Counts[:0]
	if n == 0 {
		return nil
	}
	counts, err := a.read(header, a.counts[:0], n)
	if err != nil {
		return err
	}
	for i := 0; i < len(counts); i++ {
		if i+8 <= len(counts) && binary.LittleEndian.Uint64(counts[i:]) == 0 {
			i += 7
		} else if counts[i] != 0 {
			o.Features, o.Counts = append(o.Features, uint32(i)), append(o.Counts, counts[i])
		}
	}
	return nil
}

// verdict sets the outcome, and moves the text from o.Value to its place.
func verdict(o *program.Observation, v byte) {
	switch v {
	case 'A':
		o.Outcome = oracle.Accepted
		return
	case 'R':
		o.Outcome = oracle.Rejected
	case 'D':
		o.Outcome = oracle.Declined
	case 'C':
		o.Outcome = oracle.Crashed
	}
	message, detail := o.Value, []byte(nil)
	if v == 'C' {
		// The first line is the message; a stack trace may follow.
		message, detail, _ = bytes.Cut(o.Value, []byte("\n"))
		message = bytes.TrimRight(message, "\r")
	}
	if short := bounded(message, messageLimit); len(short) < len(message) {
		message, detail = short, o.Value[len(short):]
	}
	o.Message, o.Detail = string(message), string(bounded(detail, program.Kept))
	o.Value = o.Value[:0]
}

// messageLimit suffices for a readable line. Messages stay in memory during a campaign.
const messageLimit = 1024

// bounded returns at most n bytes of text, cut between two characters if possible.
func bounded(text []byte, n int) []byte {
	if len(text) <= n {
		return text
	}
	for cut := n; cut > n-utf8.UTFMax; cut-- {
		if utf8.RuneStart(text[cut]) {
			return text[:cut]
		}
	}
	return text[:n]
}
