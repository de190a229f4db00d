package confirm

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
)

// native calls a function of this machine's C library. Its process starts at the first call, and
// again after it ended.
type native struct {
	signature *call.Signature
	program   string
	function  string        // name in the library, if it differs
	library   string        // file with the function; empty means the C library
	timeout   time.Duration // processor time of a call
	process   *process
	asked     uint64
}

// callResult is the outcome of a call.
type callResult struct {
	effect call.Effect
	failed string // how the call ended, if it did not return
}

// errMissing means that the library lacks the function.
var errMissing = errors.New("it lacks the function")

// Endings of a call, as the driver encodes them.
const (
	returned = iota
	signaled
	exited
	timedOut
)

// call calls the function and returns the outcome and the name of the library. The error is
// errMissing, or one of the driver or ctx.
func (n *native) call(ctx context.Context, c call.Call) (got callResult, library string, err error) {
	after, ret, failed, err := n.ask(ctx, c)
	if n.process != nil {
		library = n.process.hello.library
	}
	if err != nil || failed != "" {
		return callResult{failed: failed}, library, err
	}
	addresses := n.process.hello.addresses
	e := call.Effect{Memory: after}
	if n.signature.Result.Kind == "address" {
		e.To = locate(addresses, ret)
	} else {
		e.Ret = ret
	}
	for i := range n.signature.Arguments {
		a := &n.signature.Arguments[i]
		if a.Kind != "pointer" || after[i] == nil {
			continue
		}
		stored, err := n.stored(ctx, c, i, after[i])
		if err != nil {
			return callResult{}, library, err
		}
		if stored {
			cell := after[i][a.Before:][:8]
			e.Stored = append(e.Stored, &call.Stored{Arg: i, To: locate(addresses, binary.LittleEndian.Uint64(cell))})
			copy(cell, c[i].Data)
		}
	}
	return callResult{effect: e}, library, nil
}

// stored reports whether a call stored a pointer at an argument. If the memory is unchanged, the
// call may have stored the same pointer. A second call with other contents decides.
func (n *native) stored(ctx context.Context, c call.Call, arg int, after []byte) (bool, error) {
	a := &n.signature.Arguments[arg]
	cell := func(whole []byte) []byte { return whole[a.Before:][:8] }
	if !slices.Equal(cell(after), c[arg].Data) {
		return true, nil
	}
	other := slices.Clone(c)
	other[arg].Data = []byte("\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5")
	second, _, failed, err := n.ask(ctx, other)
	if err != nil || failed != "" { // the function reads these contents
		return false, err
	}
	return !slices.Equal(cell(second[arg]), other[arg].Data), nil
}

// maxOffset limits the offset of an address that belongs to an argument. It is less than the
// distance of arguments.
const maxOffset = 2048

// locate returns the target of an address. at holds the addresses of arguments, 0 for numbers.
func locate(at []uint64, address uint64) call.Pointer {
	if address == 0 {
		return call.Pointer{}
	}
	for i, start := range at {
		if offset := int64(address - start); start != 0 && offset > -maxOffset && offset < maxOffset {
			return call.Pointer{Into: i + 1, Offset: offset}
		}
	}
	return call.Pointer{Into: extract.Nowhere}
}

// grace is the additional time for a driver's answer, beyond the limit of a call.
const grace = 10 * time.Second

// ask has the driver make a call. It starts the driver if none runs, or if it ended since the last
// call.
func (n *native) ask(ctx context.Context, c call.Call) (after [][]byte, ret uint64, failed string, err error) {
	for range 2 {
		if n.process == nil {
			if n.process, err = n.start(ctx); err != nil {
				return nil, 0, "", err
			}
		}
		if !n.process.hello.found {
			return nil, 0, "", errMissing
		}
		after, ret, failed, err = n.exchange(ctx, c)
		if err == nil || ctx.Err() != nil {
			break
		}
		n.stop()
	}
	if err != nil {
		n.stop()
	}
	return after, ret, failed, err
}

func (n *native) exchange(ctx context.Context, c call.Call) (after [][]byte, ret uint64, failed string, err error) {
	n.asked++
	question, size, err := n.question(c)
	if err != nil {
		return nil, 0, "", err
	}
	p := n.process
	done := p.withDeadline(ctx, wall*n.timeout+grace)
	defer done()
	if _, err := p.in.Write(question); err != nil {
		return nil, 0, "", p.exitError(ctx, err)
	}
	head := make([]byte, 16)
	if err := p.read(head); err != nil {
		return nil, 0, "", p.exitError(ctx, err)
	}
	if binary.LittleEndian.Uint64(head) != n.asked {
		return nil, 0, "", errors.New("the driver answers to something else")
	}
	switch how, code := binary.LittleEndian.Uint32(head[8:]), binary.LittleEndian.Uint32(head[12:]); how {
	case returned:
	case signaled:
		return nil, 0, signal(unix.Signal(code)), nil
	case exited:
		return nil, 0, fmt.Sprintf("ends the process with status %d", code), nil
	default:
		return nil, 0, fmt.Sprintf("does not return within %v", n.timeout), nil
	}
	body := make([]byte, 16+size)
	if err := p.read(body); err != nil {
		return nil, 0, "", p.exitError(ctx, err)
	}
	ret = binary.LittleEndian.Uint64(body)
	if i := binary.LittleEndian.Uint64(body[8:]); i > 0 && i <= uint64(len(c)) {
		return nil, 0, fmt.Sprintf("writes far outside of what %s points to", n.signature.Arguments[i-1].Name), nil
	}
	after = make([][]byte, len(c))
	for i, rest := 0, body[16:]; i < len(c); i++ {
		a := &n.signature.Arguments[i]
		if !pointed(a) {
			continue
		}
		k := room(a)
		if c[i].Data != nil {
			after[i] = rest[:k:k]
		}
		rest = rest[k:]
	}
	return after, ret, "", nil
}

// signal describes the signal that ended a call.
func signal(s unix.Signal) string {
	if s == unix.SIGSYS {
		return "asks the kernel for something, which it may not here"
	}
	return "is ended by " + unix.SignalName(s)
}

// question encodes a call for the driver. size is the total size of the buffers.
func (n *native) question(c call.Call) (data []byte, size int, err error) {
	if len(c) != len(n.signature.Arguments) {
		return nil, 0, fmt.Errorf("a call of %s has %d arguments, not %d", n.signature.Function, len(n.signature.Arguments), len(c))
	}
	data = binary.LittleEndian.AppendUint64(data, n.asked)
	for i := range c {
		number := c[i].Int
		if c[i].Data != nil { // not null
			number = 1
		}
		data = binary.LittleEndian.AppendUint64(data, number)
	}
	for i := range c {
		a := &n.signature.Arguments[i]
		points := c[i].Data != nil
		if points != pointed(a) && !a.Nullable || points && len(c[i].Data) != a.Bytes {
			return nil, 0, fmt.Errorf("argument %d of a call of %s points to %d bytes, not to %d", i, n.signature.Function, len(c[i].Data), a.Bytes)
		}
		if pointed(a) {
			data = append(data, call.Whole(a, call.Value{Data: append(make([]byte, 0, a.Bytes), c[i].Data...)[:a.Bytes]})...)
			size += room(a)
		}
	}
	return data, size, nil
}

// pointed reports whether an argument points to a buffer, at least in some calls if it is Nullable.
func pointed(a *extract.Argument) bool { return a.Kind != "scalar" && !a.Null }

// room returns the size of the buffer, with guard bytes.
func room(a *extract.Argument) int { return a.Before + a.Bytes + a.Behind }

// arguments returns the driver's command line.
func (n *native) arguments() []string {
	args := []string{cmp.Or(n.function, n.signature.Function), n.library, fmt.Sprint(max(n.timeout.Milliseconds(), 1))}
	for i := range n.signature.Arguments {
		if a := &n.signature.Arguments[i]; pointed(a) {
			args = append(args, fmt.Sprintf("%d,%d,%d", a.Before, a.Bytes, a.Behind))
		} else {
			args = append(args, "-")
		}
	}
	return args
}

func (n *native) stop() {
	if n.process != nil {
		n.process.kill()
		n.process = nil
	}
}

// typeError reports a type in a signature that the driver does not have.
type typeError struct{ text string }

func (e *typeError) Error() string { return e.text }

// shape returns the C code that calls a function of the signature's type.
func shape(s *call.Signature) (string, error) {
	var types, args []string
	for i := range s.Arguments {
		a := &s.Arguments[i]
		value := fmt.Sprintf("v[%d]", i)
		if a.Kind != "scalar" {
			types, args = append(types, "void *"), append(args, "(void *)(uintptr_t)"+value)
			continue
		}
		t, err := integer(a.Bits, a.Signed)
		if err != nil {
			return "", &typeError{fmt.Sprintf("its argument %d has %v", i, err)}
		}
		types, args = append(types, t), append(args, "("+t+")"+value)
	}
	if len(types) == 0 {
		types = []string{"void"}
	}
	result, before, behind := "void", "", "; return 0"
	switch s.Result.Kind {
	case "address":
		result, before, behind = "void *", "return (uintptr_t)", ""
	case "scalar":
		t, err := integer(s.Result.Bits, s.Result.Signed)
		if err != nil {
			return "", &typeError{fmt.Sprintf("its result has %v", err)}
		}
		unsigned, _ := integer(s.Result.Bits, false)
		result, before, behind = t, "return ("+unsigned+")", ""
	}
	return fmt.Sprintf(`
static uint64_t invoke(void *function, const uint64_t *v) {
	%s (*volatile f)(%s);
	(void)v;
	memcpy((void *)&f, &function, sizeof f);
	%sf(%s)%s;
}
`, result, strings.Join(types, ", "), before, strings.Join(args, ", "), behind), nil
}

// integer returns C's integer type of some width.
func integer(bits int, signed bool) (string, error) {
	if bits == 1 {
		return "_Bool", nil
	}
	if !slices.Contains([]int{8, 16, 32, 64}, bits) {
		return "", fmt.Errorf("%d bits, and no integer of C has", bits)
	}
	if signed {
		return fmt.Sprintf("int%d_t", bits), nil
	}
	return fmt.Sprintf("uint%d_t", bits), nil
}
