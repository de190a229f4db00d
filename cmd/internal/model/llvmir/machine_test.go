package llvmir

import (
	"math/big"
	"strings"
	"testing"
)

// linkText links a file of IR.
func linkText(t testing.TB, text string, externals ...string) *Module {
	t.Helper()
	f, err := Parse("test.ll", text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Link([]*File{f}, externals...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestOutcomes checks each outcome with its line of the text.
func TestOutcomes(t *testing.T) {
	const head = "@g = constant [4 x i8] c\"abcd\"\n@v = global i32 7\n" // two lines
	for _, test := range []struct {
		name, body string
		args       []uint64
		want       Outcome
		line       int
		detail     string
	}{
		{"returned", "  ret i32 5", nil, Returned, 0, ""},
		{"read behind the end", "  %p = getelementptr i8, ptr @g, i64 4\n  %x = load i8, ptr %p\n  ret i32 0", nil, OutOfBoundsRead, 5,
			"1 bytes at offset 4 of @g, which has 4 bytes"},
		{"read across the end", "  %p = getelementptr i8, ptr @g, i64 2\n  %x = load i32, ptr %p\n  ret i32 %x", nil, OutOfBoundsRead, 5, "4 bytes at offset 2"},
		{"read before the beginning", "  %p = getelementptr i8, ptr @g, i64 -1\n  %x = load i8, ptr %p\n  ret i32 0", nil, OutOfBoundsRead, 5, "offset -1"},
		{"write behind the end", "  %p = getelementptr i32, ptr @v, i64 1\n  store i32 0, ptr %p\n  ret i32 0", nil, OutOfBoundsWrite, 5, "offset 4 of @v"},
		{"null", "  %x = load i8, ptr null\n  ret i32 0", nil, NullPointer, 4, "null"},
		{"field of null", "  %p = getelementptr i8, ptr null, i64 8\n  store i8 0, ptr %p\n  ret i32 0", nil, NullPointer, 5, ""},
		{"wild", "  %p = inttoptr i64 1234567 to ptr\n  %x = load i8, ptr %p\n  ret i32 0", nil, WildPointer, 5, ""},
		{"constant", "  store i8 0, ptr @g\n  ret i32 0", nil, WriteToConstant, 4, ""},
		{"uninitialized decides", "  %p = alloca [2 x i8]\n  %x = load i8, ptr %p\n  %c = icmp eq i8 %x, 0\n  br i1 %c, label %a, label %a\na:\n  ret i32 0", nil,
			Uninitialized, 7, "branch"},
		{"uninitialized variable is returned", "  %p = alloca i32\n  %x = load i32, ptr %p\n  ret i32 %x", nil, Uninitialized, 6, "result"},
		{"uninitialized is not used", "  %p = alloca [2 x i8]\n  %x = load i8, ptr %p\n  ret i32 0", nil, Returned, 0, ""},
		{"a copy of uninitialized", "  %p = alloca [2 x i32]\n  %q = alloca [2 x i32]\n  store i32 1, ptr %p\n  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)\n" +
			"  %r = getelementptr i32, ptr %q, i64 1\n  %x = load i32, ptr %r\n  ret i32 %x", nil, Uninitialized, 10, ""},
		{"signed overflow", "  %x = add nsw i32 2147483647, 1\n  ret i32 %x", nil, Poison, 5, "result"},
		{"signed overflow, not used", "  %x = add nsw i32 2147483647, 1\n  %y = select i1 true, i32 3, i32 %x\n  ret i32 %y", nil, Returned, 0, ""},
		{"unsigned overflow", "  %x = mul nuw i32 65536, 65536\n  ret i32 %x", nil, Poison, 5, ""},
		{"shift too far", "  %x = shl i32 1, 32\n  ret i32 %x", nil, Poison, 5, ""},
		{"not exact", "  %x = lshr exact i32 3, 1\n  ret i32 %x", nil, Poison, 5, ""},
		{"not disjoint", "  %x = or disjoint i32 3, 1\n  ret i32 %x", nil, Poison, 5, ""},
		{"negative", "  %x = zext nneg i8 -1 to i32\n  ret i32 %x", nil, Poison, 5, ""},
		{"pointer leaves the object", "  %p = getelementptr inbounds i8, ptr @g, i64 5\n  %x = load i8, ptr %p\n  ret i32 0", nil, Poison, 5, "address"},
		{"pointer right behind the object", "  %p = getelementptr inbounds i8, ptr @g, i64 4\n  %c = icmp eq ptr %p, @g\n  %x = zext i1 %c to i32\n  ret i32 %x", nil, Returned, 0, ""},
		{"freeze", "  %x = add nsw i32 2147483647, 1\n  %y = freeze i32 %x\n  %z = and i32 %y, 0\n  ret i32 %z", nil, Returned, 0, ""},
		{"division by zero", "  %x = udiv i32 1, 0\n  ret i32 %x", nil, DivisionByZero, 4, ""},
		{"quotient does not fit", "  %x = sdiv i32 -2147483648, -1\n  ret i32 %x", nil, Poison, 4, ""},
		{"unreachable", "  unreachable", nil, Unreachable, 4, ""},
		{"assume", "  call void @llvm.assume(i1 false)\n  ret i32 0", nil, BrokenAssumption, 4, ""},
		{"trap", "  call void @llvm.trap()\n  unreachable", nil, Unreachable, 4, ""},
		{"endless", "  br label %a\na:\n  br label %a", nil, StepLimit, 6, ""},
		{"recursion", "  %x = call i32 @f()\n  ret i32 %x", nil, DepthLimit, 4, ""},
		{"too much memory", "  %p = alloca i8, i64 1000000000\n  ret i32 0", nil, MemoryLimit, 4, ""},
		{"after return", "  %p = call ptr @local()\n  %x = load i32, ptr %p\n  ret i32 %x", nil, UseAfterReturn, 5, ""},
		{"external fails", "  %x = call i32 @missing()\n  ret i32 %x", nil, ExternalFailed, 4, "nobody supplies @missing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := linkText(t, head+"define i32 @f() {\n"+test.body+"\n}\ndefine ptr @local() {\n  %p = alloca i32\n  store i32 1, ptr %p\n  ret ptr %p\n}\n"+
				"declare i32 @missing()\n", "missing")
			machine := NewMachine(m)
			machine.Steps = 10000
			got, err := machine.Call(m.Function("f"), test.args...)
			if err != nil {
				t.Fatal(err)
			}
			if got.Outcome != test.want || got.Line != test.line || !strings.Contains(got.Detail, test.detail) {
				t.Errorf("%v in line %d (%s), not %v in line %d (%s)", got.Outcome, got.Line, got.Detail, test.want, test.line, test.detail)
			}
		})
	}
}

// TestInstructions checks instructions and intrinsics on chosen operands. The third column follows
// LLVM's reference.
func TestInstructions(t *testing.T) {
	for _, test := range []struct {
		body string
		want uint64
	}{
		{"%r = sdiv i8 -7, 2", 0xfd},
		{"%r = srem i8 -7, 2", 0xff},
		{"%r = udiv i8 -7, 2", 124},
		{"%r = urem i8 -7, 2", 1},
		{"%r = ashr i8 -128, 7", 0xff},
		{"%r = lshr i8 -128, 7", 1},
		{"%r = shl i8 3, 7", 0x80},
		{"%r = sub i8 0, 1", 0xff},
		{"%r = mul i8 100, 3", 44},
		{"%c = icmp slt i8 -1, 0\n%r = zext i1 %c to i8", 1},
		{"%c = icmp ult i8 -1, 0\n%r = sext i1 %c to i8", 0},
		{"%x = trunc i32 511 to i8\n%r = add i8 %x, 0", 255},
		{"%x = sext i3 -4 to i8\n%r = add i8 %x, 0", 0xfc},
		{"%r = call i8 @llvm.abs.i8(i8 -5, i1 false)", 5},
		{"%r = call i8 @llvm.abs.i8(i8 -128, i1 false)", 128},
		{"%r = call i8 @llvm.smax.i8(i8 -5, i8 3)", 3},
		{"%r = call i8 @llvm.smin.i8(i8 -5, i8 3)", 0xfb},
		{"%r = call i8 @llvm.umax.i8(i8 -5, i8 3)", 0xfb},
		{"%r = call i8 @llvm.umin.i8(i8 -5, i8 3)", 3},
		{"%r = call i8 @llvm.ctpop.i8(i8 -5)", 7},
		{"%r = call i8 @llvm.ctlz.i8(i8 5, i1 false)", 5},
		{"%r = call i8 @llvm.ctlz.i8(i8 0, i1 false)", 8},
		{"%r = call i8 @llvm.cttz.i8(i8 8, i1 true)", 3},
		{"%r = call i8 @llvm.cttz.i8(i8 0, i1 false)", 8},
		{"%x = call i16 @llvm.bswap.i16(i16 258)\n%r = trunc i16 %x to i8", 1},
		{"%r = call i8 @llvm.bitreverse.i8(i8 3)", 0xc0},
		{"%r = call i8 @llvm.fshl.i8(i8 -127, i8 -64, i8 1)", 3},
		{"%r = call i8 @llvm.fshr.i8(i8 1, i8 2, i8 1)", 0x81},
		{"%r = call i8 @llvm.fshr.i8(i8 1, i8 2, i8 8)", 2},
		{"%r = call i8 @llvm.fshl.i8(i8 1, i8 2, i8 8)", 1},
		{"%r = call i8 @llvm.expect.i8(i8 4, i8 0)", 4},
		{"%r = call i8 @llvm.sadd.sat.i8(i8 100, i8 100)", 127},
		{"%r = call i8 @llvm.sadd.sat.i8(i8 -100, i8 -100)", 128},
		{"%r = call i8 @llvm.uadd.sat.i8(i8 -100, i8 -100)", 255},
		{"%r = call i8 @llvm.usub.sat.i8(i8 1, i8 2)", 0},
		{"%r = call i8 @llvm.ssub.sat.i8(i8 -100, i8 100)", 128},
		{"%p = call { i8, i1 } @llvm.smul.with.overflow.i8(i8 -16, i8 8)\n%o = extractvalue { i8, i1 } %p, 1\n%r = zext i1 %o to i8", 0},
		{"%p = call { i8, i1 } @llvm.smul.with.overflow.i8(i8 16, i8 8)\n%o = extractvalue { i8, i1 } %p, 1\n%r = zext i1 %o to i8", 1},
		{"%p = call { i8, i1 } @llvm.umul.with.overflow.i8(i8 16, i8 16)\n%r = extractvalue { i8, i1 } %p, 0", 0},
		{"%p = call { i8, i1 } @llvm.uadd.with.overflow.i8(i8 -1, i8 3)\n%r = extractvalue { i8, i1 } %p, 0", 2},
		{"%p = call { i8, i1 } @llvm.ssub.with.overflow.i8(i8 -128, i8 1)\n%o = extractvalue { i8, i1 } %p, 1\n%r = zext i1 %o to i8", 1},
		{"%a = insertvalue { i8, { i8, i8 } } undef, i8 5, 1, 1\n%b = insertvalue { i8, { i8, i8 } } %a, i8 6, 0\n%r = extractvalue { i8, { i8, i8 } } %b, 1, 1", 5},
		{"%p = alloca { i8, i32, i8 }\n%q = getelementptr inbounds { i8, i32, i8 }, ptr %p, i32 0, i32 2\nstore i8 9, ptr %q\n%s = getelementptr i8, ptr %p, i64 8\n%r = load i8, ptr %s", 9},
		{"%p = alloca <{ i8, i32, i8 }>\n%q = getelementptr inbounds <{ i8, i32, i8 }>, ptr %p, i32 0, i32 2\nstore i8 9, ptr %q\n%s = getelementptr i8, ptr %p, i64 5\n%r = load i8, ptr %s", 9},
		{"%i = add i8 1, 1\n%q = getelementptr inbounds [2 x [3 x i8]], ptr @t, i64 0, i64 1, i8 %i\n%r = load i8, ptr %q", 6},
		{"%p = load ptr, ptr @q\n%r = load i8, ptr %p", 4},
		{"%p = alloca i24\nstore i24 66051, ptr %p\n%q = getelementptr i8, ptr %p, i64 2\n%r = load i8, ptr %q", 1},
		{"%p = alloca [2 x i8]\ncall void @llvm.memset.p0.i64(ptr %p, i8 7, i64 2, i1 false)\n%x = load i16, ptr %p\n%y = lshr i16 %x, 8\n%r = trunc i16 %y to i8", 7},
		{"%p = alloca { i8, i8 }\nstore { i8, i8 } { i8 1, i8 2 }, ptr %p\n%v = load { i8, i8 }, ptr %p\n%r = extractvalue { i8, i8 } %v, 1", 2},
	} {
		lines := strings.ReplaceAll(test.body, "\n", "\n  ")
		m := linkText(t, "@t = constant [2 x [3 x i8]] [[3 x i8] c\"\\01\\02\\03\", [3 x i8] [i8 4, i8 5, i8 6]]\n"+
			"@q = global ptr getelementptr inbounds ([2 x [3 x i8]], ptr @t, i64 0, i64 1, i64 0)\n"+
			"define i8 @f() {\n  "+lines+"\n  ret i8 %r\n}\n")
		machine := NewMachine(m)
		got, err := machine.Call(m.Function("f"))
		if err != nil {
			t.Errorf("%s: %v", test.body, err)
			continue
		}
		if got.Outcome != Returned || got.Values[0] != test.want {
			t.Errorf("%s: %v, and %d is right", test.body, got, test.want)
		}
	}
}

// TestArithmetic compares flags and overflow of all numbers of five bits with exact arithmetic.
func TestArithmetic(t *testing.T) {
	const n = 5
	fits := func(v *big.Int, sign bool) bool {
		low, high := int64(0), int64(1<<n-1)
		if sign {
			low, high = -(1 << (n - 1)), 1<<(n-1)-1
		}
		return v.Cmp(big.NewInt(low)) >= 0 && v.Cmp(big.NewInt(high)) <= 0
	}
	for _, code := range []opcode{opAdd, opSub, opMul} {
		for a := uint64(0); a < 1<<n; a++ {
			for b := uint64(0); b < 1<<n; b++ {
				for _, sign := range []bool{false, true} {
					x, y, flag := big.NewInt(int64(a)), big.NewInt(int64(b)), NUW
					if sign {
						x, y, flag = big.NewInt(sext(a, n)), big.NewInt(sext(b, n)), NSW
					}
					exact := new(big.Int)
					switch code {
					case opAdd:
						exact.Add(x, y)
					case opSub:
						exact.Sub(x, y)
					default:
						exact.Mul(x, y)
					}
					v, bad, _ := operate(code, flag, n, a, b)
					if want := wrapInt(exact, n).Uint64(); v != want || (bad == 0) != fits(exact, sign) {
						t.Fatalf("operation %d of %d and %d, signed %v: %d, %d; exact is %v", code, a, b, sign, v, bad, exact)
					}
				}
			}
		}
	}
}

// TestReset checks that a run does not affect the next one.
func TestReset(t *testing.T) {
	m := linkText(t, "@v = global i32 7\ndefine i32 @f(ptr %p) {\n  %x = load i32, ptr @v\n  store i32 8, ptr @v\n  store i8 1, ptr %p\n  ret i32 %x\n}\n")
	machine := NewMachine(m)
	for range 3 {
		machine.Reset()
		p := machine.Object("p", []byte{0, 0}, 3)
		if p%16 != 3 {
			t.Errorf("the object is at %#x", p)
		}
		got, err := machine.Call(m.Function("f"), p)
		if err != nil || got.Outcome != Returned || got.Values[0] != 7 {
			t.Fatal(got, err)
		}
		if !machine.Wrote(p, 0) || machine.Wrote(p, 1) || machine.Contents(p)[0] != 1 {
			t.Error("what was written is wrong")
		}
		if at, off, ok := machine.Locate(p + 2); !ok || at != p || off != 2 {
			t.Error("Locate is wrong")
		}
	}
	if allocs := testing.AllocsPerRun(50, func() {
		machine.Reset()
		machine.Call(m.Function("f"), machine.Object("p", []byte{0}, 0))
	}); allocs > 1 {
		t.Errorf("a run allocates %v times", allocs)
	}
}

func BenchmarkMachine(b *testing.B) {
	m := readMusl(b)
	machine, errno := muslMachine(m)
	text := append([]byte(strings.Repeat("abcdefghijklmnop", 60)), "needle in it\x00"...)
	for _, test := range []struct {
		name string
		args []string
	}{{"strlen", []string{string(text)}}, {"strstr", []string{string(text), "needle\x00"}}, {"atoi", []string{"  -12345678\x00"}}} {
		b.Run(test.name, func(b *testing.B) {
			steps := 0
			b.ReportAllocs()
			for range b.N {
				machine.Reset()
				*errno = machine.Object("errno", make([]byte, 4), 0)
				var args []uint64
				for _, a := range test.args {
					args = append(args, machine.Object("s", []byte(a), 0))
				}
				got, err := machine.Call(m.Function(test.name), args...)
				if err != nil || got.Outcome != Returned {
					b.Fatal(got, err)
				}
				steps += got.Steps
			}
			b.ReportMetric(float64(steps)/1e6/b.Elapsed().Seconds(), "Minstr/s")
			b.ReportMetric(float64(steps)/float64(b.N), "instr/op")
		})
	}
}
