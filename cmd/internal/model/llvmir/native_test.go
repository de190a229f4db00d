package llvmir

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// muslExternals lists functions that musl's functions here call and no file has.
var muslExternals = []string{"___errno_location", "__uflow"}

func readMusl(t testing.TB) *Module {
	t.Helper()
	var files []*File
	for _, name := range []string{"memory", "string", "ctype", "stdlib"} {
		text, err := os.ReadFile(filepath.Join("musl", name+".ll"))
		if err != nil {
			t.Fatal(err)
		}
		f, err := Parse(name+".ll", string(text))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	m, err := Link(files, muslExternals...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// muslMachine returns a machine with an object for errno, which must be made for each run.
func muslMachine(m *Module) (machine *Machine, errno *uint64) {
	errno = new(uint64)
	machine = NewMachine(m)
	machine.Externals["___errno_location"] = func(*Machine, []uint64) (uint64, error) { return *errno, nil }
	machine.Externals["__uflow"] = func(*Machine, []uint64) (uint64, error) { return 0xffffffff, nil }
	return machine, errno
}

// callMusl calls a function in a reset machine, and returns the addresses of the arguments'
// buffers.
func callMusl(t *testing.T, machine *Machine, errno *uint64, f *Function, args []argument) (*Result, []uint64) {
	t.Helper()
	machine.Reset()
	*errno = machine.Object("errno", make([]byte, 4), 0)
	values, at := place(machine, args)
	got, err := machine.Call(f, values...)
	if err != nil {
		t.Fatal(err)
	}
	return got, at
}

// signatures describes the arguments of functions, by letters:
//
//	s  a string in a buffer     d  a writable buffer with a string    b  a buffer of any bytes
//	o  a pointer into the first buffer     p  a buffer for a pointer     P  a buffer that holds a pointer to the first buffer
//	c  a character, mostly one of the strings'   i  a small number    I  any int   l  any long   n  up to 24   N  any size   B  a base
//	D  digits, a sign and blanks  H  numbers of any base, and similar texts
//
// The letter after the colon is the result: i, l, p, v for none, 2 for two longs.
var signatures = map[string]string{
	"strlen": "s:l", "strnlen": "sN:l", "strcmp": "ss:i", "strncmp": "ssN:i", "strcasecmp": "ss:i", "strncasecmp": "ssN:i", "strcpy": "ds:p",
	"strncpy": "dsn:p", "stpcpy": "ds:p", "stpncpy": "dsn:p", "strcat": "ds:p", "strncat": "dsn:p", "strlcpy": "dsn:l", "strlcat": "dsn:l",
	"strchr": "sc:p", "strrchr": "sc:p", "strchrnul": "sc:p", "index": "sc:p", "rindex": "sc:p", "strspn": "ss:l", "strcspn": "ss:l",
	"strpbrk": "ss:p", "strstr": "ss:p", "memchr": "bcn:p", "memrchr": "bcn:p", "memcmp": "bbn:i", "bcmp": "bbn:i", "memcpy": "dbn:p",
	"memmove": "don:p", "mempcpy": "dbn:p", "memset": "dcn:p", "bzero": "dn:v", "memccpy": "dbcn:p", "bcopy": "bdn:v", "swab": "bdn:v",
	"memmem": "bnbn:p", "isalnum": "I:i", "isalpha": "I:i", "isascii": "I:i", "isblank": "I:i", "iscntrl": "I:i", "isdigit": "I:i",
	"isgraph": "I:i", "islower": "I:i", "isprint": "I:i", "ispunct": "I:i", "isspace": "I:i", "isupper": "I:i", "isxdigit": "I:i",
	"toascii": "I:i", "tolower": "I:i", "toupper": "I:i", "abs": "I:i", "labs": "l:l", "llabs": "l:l", "atoi": "D:i", "atol": "D:l",
	"atoll": "D:l", "div": "II:l", "ldiv": "ll:2", "strtol": "HpB:l", "strtoul": "HpB:l", "strtoll": "HpB:l", "strtoull": "HpB:l",
}

// argument is one argument of a call, for both sides.
type argument struct {
	kind   byte // b, o, i as in driver.c
	data   []byte
	align  byte
	holds  byte // 1 + the buffer that it points to
	which  byte
	offset byte
	number uint64
}

func generate(r *rand.Rand, letters string) []argument {
	var args []argument
	for _, letter := range letters {
		a := argument{kind: 'b', align: byte(r.IntN(16))}
		text := func(alphabet string, most int) {
			n := r.IntN(most + 1)
			a.data = make([]byte, 64)
			for i := range a.data {
				a.data[i] = alphabet[r.IntN(len(alphabet))]
			}
			a.data[n], a.data[63] = 0, 0
		}
		switch letter {
		case 's', 'd':
			text([]string{"ab", "aAbB\xc1\xe1", "abcdefgh"}[r.IntN(3)], 20)
		case 'D':
			text("0123456789", 9)
			copy(a.data, []string{"", "-", "+", " \t-", "\n", "--", "x"}[r.IntN(7)])
		case 'H':
			text([]string{"0123456789", "0123456789abcdefABCDEF", "01xX7", "zZ9+- "}[r.IntN(4)], 24)
			copy(a.data, []string{"", "-", "+", " -", "0x", "-0X", "0", "x"}[r.IntN(8)])
		case 'b':
			text("ab\x00\xff", 20)
		case 'p':
			a.data, a.align = make([]byte, 8), 0
		case 'P':
			a.data, a.align, a.holds = make([]byte, 8), 0, 1
		case 'o':
			a = argument{kind: 'o', offset: byte(r.IntN(30))}
		default:
			a = argument{kind: 'i', number: generateNumber(r, letter)}
		}
		args = append(args, a)
	}
	return args
}

func generateNumber(r *rand.Rand, letter rune) uint64 {
	switch letter {
	case 'c':
		return uint64([]byte("abAB\x00\xff\xc1")[r.IntN(7)]) | uint64(r.IntN(2))<<8
	case 'I':
		if r.IntN(4) > 0 {
			return uint64(uint32(r.IntN(300) - 10))
		}
		return uint64(r.Uint32())
	case 'l':
		return r.Uint64() >> r.IntN(64) * []uint64{1, ^uint64(0)}[r.IntN(2)]
	case 'n':
		return uint64(r.IntN(25))
	case 'N':
		if r.IntN(3) > 0 {
			return uint64(r.IntN(25))
		}
		return r.Uint64()
	case 'B':
		return uint64([]int{0, 10, 16, 8, 2, 36, 1, 37, 7}[r.IntN(9)])
	}
	panic(letter)
}

func (a argument) send(w io.Writer) {
	switch a.kind {
	case 'b':
		w.Write([]byte{'b', byte(len(a.data)), a.align, a.holds})
		w.Write(a.data)
	case 'o':
		w.Write([]byte{'o', a.which, a.offset, 0})
	default:
		w.Write([]byte{'i', 0, 0, 0})
		binary.Write(w, binary.LittleEndian, a.number)
	}
}

// native runs the same functions compiled.
type native struct {
	in  io.Writer
	out *bufio.Reader
}

func startNative(t *testing.T, names []string) *native {
	dir := t.TempDir()
	var list strings.Builder
	for _, name := range names {
		fmt.Fprintf(&list, "FUNCTION(%s)\n", name)
	}
	if err := os.WriteFile(filepath.Join(dir, "functions.h"), []byte(list.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "driver")
	musl, _ := filepath.Glob("musl/*.ll")
	args := append([]string{"-O1", "-w", "-fno-builtin", "-I", dir, "-o", exe, "testdata/driver.c"}, musl...)
	out, err := exec.Command("clang-19", args...).CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		t.Fatal("this test needs clang-19: sudo apt-get install clang-19")
	}
	if err != nil {
		t.Fatalf("clang-19 %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	cmd := exec.Command(exe)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	result, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error("the compiled functions:", err)
		}
	})
	return &native{in, bufio.NewReader(result)}
}

// send writes calls of a function, while another goroutine reads the results.
func (n *native) send(function int, calls [][]argument) {
	var b bytes.Buffer
	for _, args := range calls {
		b.Write([]byte{byte(function), byte(len(args))})
		for _, a := range args {
			a.send(&b)
		}
	}
	n.in.Write(b.Bytes()) // the reader reports a process that ended
}

// receive reads results, errno, and the addresses and contents of buffers.
func (n *native) receive(t *testing.T, args []argument) (values [2]uint64, errno uint32, at []uint64, buffers [][]byte) {
	read := func(to any) {
		if err := binary.Read(n.out, binary.LittleEndian, to); err != nil {
			t.Fatal("the compiled function ended: ", err)
		}
	}
	read(&values)
	read(&errno)
	for _, a := range args {
		if a.kind != 'b' {
			continue
		}
		var where uint64
		read(&where)
		data := make([]byte, len(a.data))
		read(data)
		at, buffers = append(at, where), append(buffers, data)
	}
	return values, errno, at, buffers
}

// place makes the objects of arguments.
func place(m *Machine, args []argument) (values, at []uint64) {
	for _, a := range args {
		switch a.kind {
		case 'b':
			data := bytes.Clone(a.data)
			if a.holds > 0 {
				binary.LittleEndian.PutUint64(data, at[a.holds-1])
			}
			at = append(at, m.Object(fmt.Sprint("buffer ", len(at)), data, int(a.align)))
			values = append(values, at[len(at)-1])
		case 'o':
			values = append(values, at[a.which]+uint64(a.offset))
		default:
			values = append(values, a.number)
		}
	}
	return values, at
}

// relative describes a pointer by its buffer and the offset.
func relative(p uint64, at []uint64, args []argument) string {
	i := 0
	for _, a := range args {
		if a.kind != 'b' {
			continue
		}
		if off := p - at[i]; off <= uint64(len(a.data)) {
			return fmt.Sprint("buffer ", i, " + ", off)
		}
		i++
	}
	return fmt.Sprint(p)
}

// TestMachineAsCompiled compares the machine with the compiled functions: results, contents of
// buffers, and errno.
func TestMachineAsCompiled(t *testing.T) {
	const inputs = 200
	m := readMusl(t)
	var names []string
	for name := range signatures {
		names = append(names, name)
	}
	slices.Sort(names)
	n := startNative(t, names)
	machine, errno := muslMachine(m)
	total, undefined := 0, 0
	for index, name := range names {
		letters, result, _ := strings.Cut(signatures[name], ":")
		f := m.Function(name)
		if f == nil {
			t.Errorf("there is no %s", name)
			continue
		}
		r := rand.New(rand.NewPCG(7, uint64(len(name))))
		run := func(args []argument) (*Result, []uint64) { return callMusl(t, machine, errno, f, args) }
		var calls [][]argument
		for range inputs {
			args := generate(r, letters)
			got, _ := run(args)
			total++
			switch {
			case got.Outcome == Returned:
				calls = append(calls, args)
			case !got.Outcome.Undefined(): // as abs(INT_MIN): the compiled function may do anything
				t.Fatalf("%s(%v): %v", name, args, got)
			}
		}
		undefined += inputs - len(calls)
		if len(calls) < inputs/2 {
			t.Errorf("%s returned for %d of %d inputs", name, len(calls), inputs)
		}
		go n.send(index, calls)
		for _, args := range calls {
			got, at := run(args)
			want, wantErrno, wantAt, wantBuffers := n.receive(t, args)
			compareRun(t, machine, fmt.Sprintf("%s(%v)", name, args), result, args, got, at, want, wantAt, wantBuffers)
			if e := binary.LittleEndian.Uint32(machine.Contents(*errno)); e != wantErrno {
				t.Errorf("%s(%v) sets errno to %d, and compiled to %d", name, args, e, wantErrno)
			}
			if t.Failed() {
				return
			}
		}
	}
	t.Logf("%d functions, %d calls, of which %d undefined", len(names), total, undefined)
}

func compareRun(t *testing.T, m *Machine, call, result string, args []argument, got *Result, at []uint64, want [2]uint64, wantAt []uint64, wantBuffers [][]byte) {
	t.Helper()
	switch {
	case result == "i" && got.Values[0] != uint64(uint32(want[0])), result == "l" && got.Values[0] != want[0],
		result == "2" && (got.Values[0] != want[0] || got.Values[1] != want[1]):
		t.Errorf("%s gives %d, and compiled %d", call, got.Values, want)
	case result == "p" && relative(got.Values[0], at, args) != relative(want[0], wantAt, args):
		t.Errorf("%s gives %s, and compiled %s", call, relative(got.Values[0], at, args), relative(want[0], wantAt, args))
	}
	for i, data := range wantBuffers {
		have := m.Contents(at[i])
		if len(data) == 8 { // a pointer
			a, b := binary.LittleEndian.Uint64(have), binary.LittleEndian.Uint64(data)
			if relative(a, at, args) != relative(b, wantAt, args) {
				t.Errorf("%s leaves %s, and compiled %s", call, relative(a, at, args), relative(b, wantAt, args))
			}
		} else if !bytes.Equal(have, data) {
			t.Errorf("%s leaves %q in buffer %d, and compiled %q", call, have, i, data)
		}
	}
}

// TestMuslRefused checks that exactly the functions that need assembly are refused, with the place.
func TestMuslRefused(t *testing.T) {
	m := readMusl(t)
	var refused []string
	for _, f := range m.Functions() {
		if err := m.Refused(f); err != nil {
			refused = append(refused, f.Name)
			asm := strings.Contains(err.Error(), "@a_ctz_64: line") && strings.Contains(err.Error(), "asm is not supported")
			// the machine supplies the allocator
			if !asm && !strings.Contains(err.Error(), "@malloc is not defined by any file") {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
	}
	if got := strings.Join(refused, " "); got != "strdup strndup ffs a_ctz_l ffsl ffsll a_ctz_64" {
		t.Errorf("refused are %s", got)
	}
}
