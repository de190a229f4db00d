package llvmir

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/model/smt"
)

// TestSymbolicInstructions executes each instruction and intrinsic on two bytes that are terms. The
// term of the result agrees with the machine, and Defined holds where the machine returns.
func TestSymbolicInstructions(t *testing.T) {
	bodies := []string{
		"%r = add i8 %n, %m", "%r = add nsw i8 %n, %m", "%r = add nuw i8 %n, %m", "%r = sub nsw i8 %n, %m", "%r = sub nuw i8 %n, %m",
		"%r = mul i8 %n, %m", "%r = mul nsw i8 %n, %m", "%r = mul nuw i8 %n, %m", "%r = udiv i8 %n, %m", "%r = sdiv i8 %n, %m",
		"%r = udiv exact i8 %n, %m", "%r = sdiv exact i8 %n, %m", "%r = urem i8 %n, %m", "%r = srem i8 %n, %m", "%r = shl i8 %n, %m",
		"%r = shl nsw i8 %n, %m", "%r = shl nuw i8 %n, %m", "%r = lshr i8 %n, %m", "%r = lshr exact i8 %n, %m", "%r = ashr exact i8 %n, %m",
		"%r = and i8 %n, %m", "%r = or disjoint i8 %n, %m", "%r = xor i8 %n, %m", "%r = sub i8 0, %n", "%r = mul i8 %n, 0", "%r = and i8 %n, -1",
		"%c = icmp slt i8 %n, %m\n%r = zext i1 %c to i8", "%c = icmp uge i8 %n, %m\n%r = sext i1 %c to i8",
		"%c = icmp eq i8 %n, %m\n%z = zext i1 %c to i32\n%d = icmp ne i32 %z, 0\n%r = select i1 %d, i8 %n, i8 7",
		"%c = icmp eq i8 %n, %m\n%d = icmp sgt i8 %n, 3\n%e = and i1 %c, %d\n%f = xor i1 %e, true\n%g = or i1 %f, %c\n%h = icmp eq i1 %g, %d\n%r = zext i1 %h to i8",
		"%x = zext nneg i8 %n to i16\n%r = trunc i16 %x to i8", "%x = sext i8 %n to i32\n%y = mul i32 %x, 3\n%z = lshr i32 %y, 4\n%r = trunc i32 %z to i8",
		"%c = trunc i8 %n to i1\n%r = select i1 %c, i8 %m, i8 %n", "%r = call i8 @llvm.abs.i8(i8 %n, i1 true)", "%r = call i8 @llvm.abs.i8(i8 %n, i1 false)",
		"%r = call i8 @llvm.smax.i8(i8 %n, i8 %m)", "%r = call i8 @llvm.smin.i8(i8 %n, i8 %m)", "%r = call i8 @llvm.umax.i8(i8 %n, i8 %m)",
		"%r = call i8 @llvm.umin.i8(i8 %n, i8 %m)", "%r = call i8 @llvm.ctpop.i8(i8 %n)", "%r = call i8 @llvm.ctlz.i8(i8 %n, i1 false)",
		"%r = call i8 @llvm.cttz.i8(i8 %n, i1 true)", "%r = call i8 @llvm.fshl.i8(i8 %n, i8 %m, i8 3)", "%r = call i8 @llvm.fshr.i8(i8 %n, i8 %m, i8 9)",
		"%r = call i8 @llvm.fshl.i8(i8 %n, i8 %m, i8 8)", "%r = call i8 @llvm.fshr.i8(i8 %n, i8 %m, i8 0)",
		"%r = call i8 @llvm.expect.i8(i8 %n, i8 0)", "%x = zext i8 %n to i16\n%y = call i16 @llvm.bswap.i16(i16 %x)\n%z = lshr i16 %y, 7\n%r = trunc i16 %z to i8",
		"%p = call { i8, i1 } @llvm.sadd.with.overflow.i8(i8 %n, i8 %m)\n%o = extractvalue { i8, i1 } %p, 1\n%v = extractvalue { i8, i1 } %p, 0\n%r = select i1 %o, i8 1, i8 %v",
		"%p = call { i8, i1 } @llvm.umul.with.overflow.i8(i8 %n, i8 %m)\n%o = extractvalue { i8, i1 } %p, 1\n%r = zext i1 %o to i8",
		"%c = icmp ult i8 %n, 9\ncall void @llvm.assume(i1 %c)\n%r = add i8 %n, 1",
		"%i = zext i8 %n to i64\n%p = getelementptr inbounds [6 x i8], ptr @t, i64 0, i64 %i\n%r = load i8, ptr %p",
		"%i = and i8 %n, 3\n%p = getelementptr i8, ptr @t, i8 %i\n%x = load i16, ptr %p\n%y = lshr i16 %x, 4\n%r = trunc i16 %y to i8",
		"%p = alloca [4 x i8]\nstore i32 67305985, ptr %p\n%i = zext i8 %n to i64\n%q = getelementptr inbounds i8, ptr %p, i64 %i\nstore i8 %m, ptr %q\n%j = and i8 %m, 3\n" +
			"%s = getelementptr i8, ptr %p, i8 %j\n%r = load i8, ptr %s",
		"%p = alloca [4 x i16]\nstore i64 0, ptr %p\n%x = zext i8 %m to i16\n%y = mul i16 %x, 257\n%i = and i8 %n, 3\n%q = getelementptr i16, ptr %p, i8 %i\nstore i16 %y, ptr %q\n" +
			"%s = getelementptr i8, ptr %p, i64 3\n%r = load i8, ptr %s",
		"%p = alloca { i8, i16 }\n%v = insertvalue { i8, i16 } undef, i8 %n, 0\n%x = sext i8 %m to i16\n%w = insertvalue { i8, i16 } %v, i16 %x, 1\nstore { i8, i16 } %w, ptr %p\n" +
			"%q = getelementptr i8, ptr %p, i64 3\n%r = load i8, ptr %q",
		"%p = ptrtoint ptr @t to i64\n%i = zext i8 %n to i64\n%q = add i64 %p, %i\n%d = sub i64 %q, %p\n%e = and i64 %q, 7\n%f = add i64 %d, %e\n%r = trunc i64 %f to i8",
		"%c = icmp eq ptr @t, null\n%d = icmp ugt ptr @t, null\n%e = xor i1 %c, %d\n%f = zext i1 %e to i8\n%r = add i8 %f, %n",
	}
	r := rand.New(rand.NewPCG(5, 6))
	corners := []uint64{0, 1, 2, 7, 8, 127, 128, 129, 254, 255}
	for _, body := range bodies {
		m := linkText(t, "@t = constant [6 x i8] c\"\\01\\01\\80\\80\\80\\05\"\ndefine i8 @f(i8 %n, i8 %m) {\n"+body+"\nret i8 %r\n}\n")
		f := m.Function("f")
		path, err := m.PathOf(f, []int{0})
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		ctx := smt.NewContext()
		n, k := ctx.Const("n", smt.BitVec(8)), ctx.Const("m", smt.BitVec(8))
		x, err := NewSymbolic(m, ctx).Execute(path, Number(n), Number(k))
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		program, err := smt.Compile([]*smt.Term{n, k}, ctx.And(x.Defined...), x.Result.Term)
		if err != nil {
			t.Fatal(err)
		}
		terms, machine := program.Machine(), NewMachine(m)
		for i := range 400 {
			a, b := r.Uint64N(256), r.Uint64N(256)
			if i < 100 {
				a, b = corners[i/10], corners[i%10]
			}
			machine.Reset()
			got, err := machine.Call(f, a, b)
			if err != nil {
				t.Fatal(err)
			}
			terms.SetWord(0, a)
			terms.SetWord(1, b)
			if err := terms.Run(); err != nil {
				t.Fatal(err)
			}
			if returned := got.Outcome == Returned; returned != terms.Bool(0) || returned && got.Values[0] != terms.Word(1) {
				t.Errorf("%s of %d and %d: %v; the terms say %v and %d", body, a, b, got, terms.Bool(0), terms.Word(1))
				break
			}
		}
	}
}

// TestSymbolicListed checks that the conditions of a function's listed paths are disjoint. For each
// input, exactly one holds, unless a limit excluded its path, and a run takes that path.
func TestSymbolicListed(t *testing.T) {
	m := readMusl(t)
	machine, _ := muslMachine(m)
	for _, name := range []string{"strcmp", "strlen", "toupper", "isalnum", "memcmp", "abs"} {
		f := m.Function(name)
		letters, _, _ := strings.Cut(signatures[name], ":")
		e, err := m.Paths(f, Limits{Unroll: 5})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(9, 9))
		short := func() []argument {
			args := generate(r, letters)
			for i, a := range args {
				if a.kind == 'b' {
					args[i].data, args[i].align = a.data[:6], 0
					args[i].data[5] = 0
				}
			}
			return args
		}
		type one struct {
			path *Path
			c    *compiled
		}
		var all []one
		impossible := 0
		for i := range e.Paths {
			ctx := smt.NewContext()
			call := symbolicArguments(m, ctx, f, short())
			x, err := call.s.Execute(&e.Paths[i], call.args...)
			if err != nil {
				if !errors.As(err, new(*Impossible)) && !errors.As(err, new(*Undefined)) {
					t.Errorf("%s: %s: %v", name, e.Paths[i].Name, err)
				}
				impossible++
				continue
			}
			all = append(all, one{&e.Paths[i], compileExecution(t, ctx, call, x)})
		}
		taken := 0
		for range 150 {
			args := short()
			machine.Reset()
			values, _ := place(machine, args)
			got, err := machine.Call(f, values...)
			if err != nil {
				t.Fatal(err)
			}
			words := symbolicArguments(m, smt.NewContext(), f, args).words
			holds := 0
			for _, o := range all {
				for i, w := range words {
					o.c.machine.SetWord(i, w)
				}
				if err := o.c.machine.Run(); err != nil {
					t.Fatal(err)
				}
				if !o.c.machine.Bool(0) || !o.c.machine.Bool(1) {
					continue
				}
				holds++
				if got.Outcome != Returned || !slices.Equal(o.path.Blocks, got.Trace) {
					t.Errorf("%s(%v): the condition of %s holds, and the run is another", name, args, o.path.Name)
				}
			}
			taken += holds
			if holds > 1 {
				t.Errorf("%s(%v): the conditions of %d paths hold", name, args, holds)
			}
		}
		t.Logf("%s: %v, %d of them impossible; %d of 150 inputs take one", name, e, impossible, taken)
		if taken < 75 {
			t.Errorf("%s: of 150 inputs %d take a listed path", name, taken)
		}
	}
}

// TestSymbolicRefused checks that refusals have a reason, with line, instruction and function.
func TestSymbolicRefused(t *testing.T) {
	for _, test := range []struct {
		name, body string
		blocks     []int
		want       any
		text       string
	}{
		{"large table", "  %i = zext i8 %n to i64\n  %p = getelementptr i8, ptr @big, i64 %i\n  %x = load i8, ptr %p\n  ret i8 %x", []int{0}, new(*Beyond),
			"@f: line 5: load: @big has 1000 places"},
		{"no external", "  %x = call i8 @gone(i8 %n)\n  ret i8 %x", []int{0}, new(*Beyond), "line 3: call: nobody supplies @gone"},
		{"length", "  %l = zext i8 %n to i64\n  %p = alloca [300 x i8]\n  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %l, i1 false)\n  ret i8 0", []int{0}, new(*Beyond), "the length depends"},
		{"impossible", "  %c = icmp eq i8 1, 2\n  br i1 %c, label %a, label %b\na:\n  ret i8 1\nb:\n  ret i8 2", []int{0, 1}, new(*Impossible), "line 4"},
		{"overflow", "  %x = add nsw i8 127, 1\n  ret i8 %x", []int{0}, new(*Undefined), "line 4: poison"},
		{"out of bounds", "  %p = getelementptr i8, ptr @big, i64 1000\n  %x = load i8, ptr %p\n  ret i8 %x", []int{0}, new(*Undefined), "line 4: out-of-bounds read"},
		{"null", "  %x = load i8, ptr null\n  ret i8 %x", []int{0}, new(*Undefined), "line 3: null pointer"},
		{"uninitialized", "  %p = alloca [2 x i8]\n  %x = load i8, ptr %p\n  ret i8 %x", []int{0}, new(*Undefined), "line 5: uninitialized"},
		{"no path", "  ret i8 %n", []int{0, 0}, nil, "step 1 comes after the return"},
	} {
		m := linkText(t, "@big = global [1000 x i8] zeroinitializer\ndefine i8 @f(i8 %n) {\n"+test.body+"\n}\ndeclare i8 @gone(i8)\n", "gone")
		ctx := smt.NewContext()
		_, err := NewSymbolic(m, ctx).Execute(&Path{Function: m.Function("f"), Blocks: test.blocks}, Number(ctx.Const("n", smt.BitVec(8))))
		if err == nil || !strings.Contains(err.Error(), test.text) || test.want != nil && !errors.As(err, test.want) {
			t.Errorf("%s: %v (%T) does not say %q", test.name, err, err, test.text)
		}
	}
	m := linkText(t, "define i8 @f(i8 %n) {\n  ret i8 %n\n}\n")
	path, _ := m.PathOf(m.Function("f"), []int{0})
	ctx := smt.NewContext()
	for _, args := range [][]Argument{nil, {Number(ctx.Const("n", smt.BitVec(16)))}} {
		if _, err := NewSymbolic(m, ctx).Execute(path, args...); err == nil || !strings.Contains(err.Error(), "parameter") {
			t.Errorf("%v: %v", args, err)
		}
	}
}
