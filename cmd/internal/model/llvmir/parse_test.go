package llvmir

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"parallax/cmd/internal/model/smt"
)

// TestRefused checks that unsupported constructs refuse one function, with line, instruction and
// function.
func TestRefused(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       []string
	}{
		{"floating point", "  %x = fadd double 1.0, 2.0\n  ret i32 0", []string{"test.ll", "@f", "line 3", "fadd", "not supported"}},
		{"indirect call", "  %x = call i32 %p()\n  ret i32 %x", []string{"@f", "line 3", "call", "through the pointer"}},
		{"assembly", "  %x = call i32 asm \"nop\", \"=r\"()\n  ret i32 %x", []string{"@f", "line 3", "call", "asm"}},
		{"vector", "  %x = add <2 x i32> zeroinitializer, zeroinitializer\n  ret i32 0", []string{"@f", "line 3", "add", "<2 x i32>"}},
		{"atomic", "  %x = load atomic i32, ptr %p seq_cst, align 4\n  ret i32 0", []string{"@f", "line 3", "load", "atomic"}},
		{"wide", "  %x = mul i128 3, 3\n  ret i32 0", []string{"@f", "line 3", "mul", "i128", "64 bits"}},
		{"missing callee", "  %x = call i32 @gone()\n  ret i32 %x", []string{"@f", "line 3", "call", "@gone is not defined"}},
		{"callee that is refused", "  %x = call i32 @bad()\n  ret i32 %x", []string{"@f", "line 3", "call", "@bad cannot be called", "fence"}},
		{"intrinsic", "  %x = call i32 @llvm.vector.reduce(i32 1)\n  ret i32 %x", []string{"@f", "line 3", "@llvm.vector.reduce"}},
		{"missing global", "  %x = load i32, ptr @gone2\n  ret i32 %x", []string{"@f", "line 3", "load", "@gone2"}},
		{"address of a function", "  store ptr @good, ptr %p\n  ret i32 0", []string{"@f", "line 3", "address of the function @good"}},
		{"two definitions", "  %x = add i32 1, 1\n  %x = add i32 1, 1\n  ret i32 0", []string{"@f", "line 4", "%x has two definitions"}},
		{"no definition", "  ret i32 %y", []string{"@f", "line 3", "ret", "%y is defined nowhere"}},
		{"another type", "  %x = add i64 1, 1\n  ret i32 %x", []string{"@f", "line 4", "%x is i64, not i32"}},
		{"no such block", "  br label %z", []string{"@f", "line 3", "br", "not there"}},
		{"no terminator", "  %x = add i32 1, 1", []string{"@f", "does not end"}},
		{"phi without a value", "  br label %a\na:\n  %x = phi i32 [ 0, %2 ]\n  br label %a", []string{"@f", "line 5", "phi", "no value"}},
		{"syntax", "  %x = add i32 1 1\n  ret i32 0", []string{"@f", "line 3", "add"}},
		{"unknown instruction", "  %x = frob i32 1\n  ret i32 0", []string{"@f", "line 3", "frob"}},
		{"wrong field", "  %x = getelementptr { i8 }, ptr %p, i32 0, i32 1\n  ret i32 0", []string{"@f", "line 3", "getelementptr", "no such field"}},
		{"wrong callee type", "  %x = call i64 @good()\n  ret i32 0", []string{"@f", "line 3", "@good"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := linkText(t, "\ndefine i32 @f(ptr %p, i32 %n) {\n"+test.body+"\n}\n\ndefine i32 @good() {\n  ret i32 1\n}\n"+
				"define i32 @bad() {\n  fence seq_cst\n  ret i32 1\n}\ndeclare i32 @gone()\n")
			f := m.Function("f")
			if f == nil {
				t.Fatal("f is lost")
			}
			err := m.Refused(f)
			if err == nil {
				t.Fatal("f is not refused")
			}
			for _, w := range test.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q is not in: %v", w, err)
				}
			}
			if _, err := NewMachine(m).Call(f, 0, 0); err == nil {
				t.Error("f runs")
			}
			if err := m.Refused(m.Function("good")); err != nil {
				t.Error("good is refused too:", err)
			}
		})
	}
}

// TestParseErrors checks files that cannot be parsed at all.
func TestParseErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"define i32 @f() {\n  ret i32 0\n", "does not end"},
		{"hello", "line 1: hello does not begin"},
		{"@x = global i32 \"", "a string does not end"},
		{"%t = type { %t }", "contains itself"},
		{"%t = type { %u }\n%u = type { %t }", "contains itself"},
		{"@x = global [2 x i8] c\"abc\"", "a string of 3 bytes"},
		{"@x = global [2 x i8] [i8 1]", "1 values are given"},
		{"@x = global i32 true", "true is no value of type i32"},
		{"@x = global " + strings.Repeat("[1 x ", 200) + "i8" + strings.Repeat("]", 200) + " zeroinitializer", "nested too deep"},
		{"\x00", "is not part of"},
	} {
		_, err := Parse("bad.ll", test.text)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "bad.ll: ") {
			t.Errorf("%.40q: %v does not say %q", test.text, err, test.want)
		}
	}
}

// TestLink checks symbols across files: static ones belong to their file, weak ones are overridden,
// and aliases are resolved.
func TestLink(t *testing.T) {
	parse := func(name, text string) *File {
		f, err := Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	a := parse("a.ll", "define internal i32 @s() {\n  ret i32 1\n}\ndefine i32 @a() {\n  %x = call i32 @s()\n  ret i32 %x\n}\n"+
		"define weak i32 @w() {\n  ret i32 10\n}\n@alias = weak alias i32 (), ptr @a\n")
	b := parse("b.ll", "define internal i32 @s() {\n  ret i32 2\n}\ndefine i32 @b() {\n  %x = call i32 @s()\n  %y = call i32 @alias()\n  %w = call i32 @w()\n"+
		"  %p = add i32 %x, %y\n  %q = add i32 %p, %w\n  ret i32 %q\n}\ndefine i32 @w() {\n  ret i32 20\n}\ndeclare i32 @alias()\n")
	m, err := Link([]*File{a, b})
	if err != nil {
		t.Fatal(err)
	}
	got, err := NewMachine(m).Call(m.Function("b"))
	if err != nil || got.Outcome != Returned || got.Values[0] != 2+1+20 {
		t.Error(got, err)
	}
	if m.Function("s") != nil {
		t.Error("of two static functions one is found")
	}
	if m.Function("alias") != m.Function("a") {
		t.Error("the alias is not followed")
	}
	if _, err := Link([]*File{parse("c.ll", "define i32 @a() {\n  ret i32 1\n}\n"), a}); err == nil || !strings.Contains(err.Error(), "@a is defined") {
		t.Error("two definitions:", err)
	}
	if _, err := Link([]*File{a, a}); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Error("one file twice:", err)
	}
}

// TestParse checks blocks, places in the source, and clang's annotations of instructions.
func TestParse(t *testing.T) {
	f, err := Parse("test.ll", `source_filename = "x.c"
target triple = "x86_64-pc-linux-gnu"
$c = comdat any
%struct.s = type { i32, ptr }
%o = type opaque
@.str = private unnamed_addr constant [3 x i8] c"a\22\00", align 1
@ext = external dso_local global i32, align 4
; Function Attrs: noinline nounwind
define dso_local signext i8 @f(ptr noundef nonnull align 8 dereferenceable(16) %0, i32 range(i32 0, 5) %1) local_unnamed_addr #0 !dbg !4 {
  #dbg_value(ptr %0, !9, !DIExpression(), !6)
  call void @llvm.dbg.value(metadata i32 %1, metadata !9, metadata !DIExpression()), !dbg !6
  %3 = getelementptr inbounds %struct.s, ptr %0, i32 0, i32 0, !dbg !6
  %4 = load volatile i32, ptr %3, align 4, !dbg !6, !tbaa !{!9, i64 0}
  %5 = tail call noundef i32 @g(i32 noundef %4) #2, !dbg !6, !range !7
  switch i32 %5, label %7 [
    i32 45, label %"odd name"
    i32 -3, label %6
  ], !dbg !8

"odd name":                                       ; preds = %2
  br label %7

6:                                                ; preds = %2
  br label %7, !llvm.loop !9

7:
  %8 = phi i8 [ 1, %2 ], [ 2, %6 ], [ 3, %"odd name" ], !dbg !8
  ret i8 %8
}
declare i32 @g(i32 noundef) #1
attributes #0 = { noinline nounwind "frame-pointer"="all" }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
!4 = distinct !DISubprogram(name: "f", scope: !5, file: !5, line: 3, type: !9, flags: DIFlagPrototyped | DIFlagX, spFlags: DISPFlagDefinition)
!5 = !DIFile(filename: "./src/x.c", directory: ".")
!6 = !DILocation(line: 7, column: 2, scope: !10)
!7 = !{i32 0, i32 256}
!8 = !DILocation(line: 9, scope: !4)
!9 = !{}
!10 = distinct !DILexicalBlock(scope: !4, file: !5, line: 6)
`)
	if err != nil {
		t.Fatal(err)
	}
	fn := f.Functions[0]
	if fn.Unsupported != nil {
		t.Fatal(fn.Unsupported)
	}
	var names []string
	for _, b := range fn.Blocks {
		names = append(names, b.Name)
	}
	if got := strings.Join(names, " "); got != "2 odd name 6 7" {
		t.Errorf("the blocks are %s", got)
	}
	if fn.Place != (SourceLine{"src/x.c", 3}) {
		t.Errorf("the function is at %v", fn.Place)
	}
	entry := fn.Blocks[0].Instrs
	if len(entry) != 4 || entry[0].Place != (SourceLine{"src/x.c", 7}) || entry[3].Place != (SourceLine{"src/x.c", 9}) || entry[0].Line != 12 {
		t.Errorf("instructions of the entry: %d, at %v", len(entry), entry[0].Place)
	}
	if len(f.Globals) != 2 || f.Globals[0].Init.Data != "a\"\x00" || !f.Globals[0].Constant || f.Globals[1].Init != nil {
		t.Errorf("the globals are %+v", f.Globals)
	}
}

// FuzzParse checks that any text is parsed or refused, and that a parsed module can be run and
// analyzed.
func FuzzParse(f *testing.F) {
	f.Add("define i32 @f(i32 %0) {\n  %2 = alloca i32\n  store i32 %0, ptr %2\n  br label %3\n3:\n  %4 = load i32, ptr %2\n  %5 = add i32 %4, 1\n  store i32 %5, ptr %2\n  br label %3\n}\n")
	f.Add("@t = constant [2 x [2 x i8]] [[2 x i8] c\"ab\", [2 x i8] zeroinitializer]\ndefine i8 @f(ptr %p, i64 %i) {\n  %q = getelementptr inbounds [2 x [2 x i8]], ptr @t, i64 0, i64 %i, i64 1\n  %x = load i8, ptr %q\n  ret i8 %x\n}\n")
	f.Add("define i32 @f(i32 %0) {\n  switch i32 %0, label %2 [ i32 1, label %3 ]\n2:\n  ret i32 1\n3:\n  %4 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %0, i32 5)\n  %5 = extractvalue { i32, i1 } %4, 0\n  ret i32 %5\n}\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse("fuzz.ll", text)
		if err != nil {
			return
		}
		m, err := Link([]*File{file})
		if err != nil {
			return
		}
		machine := NewMachine(m)
		machine.Steps, machine.Memory = 1000, 1<<20
		for _, fn := range m.Functions() {
			if m.Refused(fn) == nil && len(fn.Params) < 10 {
				machine.Reset()
				got, err := machine.Call(fn, make([]uint64, len(fn.Params))...)
				if err != nil {
					t.Error(err)
				} else if got.Outcome == Returned && !got.Cut {
					p, err := m.PathOf(fn, got.Trace)
					if err != nil {
						t.Error(err)
					} else {
						followAny(t, m, p)
					}
				}
				if _, err := m.Paths(fn, Limits{Work: 200}); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// followAny follows a path with terms for all numbers. Every error must have a reason.
func followAny(t *testing.T, m *Module, p *Path) {
	ctx := smt.NewContext()
	ctx.Terms = 10_000
	s := NewSymbolic(m, ctx)
	s.Places, s.MaxSteps = 16, 1000
	var args []Argument
	for i, param := range p.Function.Params {
		args = append(args, Number(ctx.Const(fmt.Sprint("n", i), smt.BitVec(param.Type.width()))))
	}
	if _, err := s.Execute(p, args...); err != nil && !errors.As(err, new(*Beyond)) && !errors.As(err, new(*Impossible)) && !errors.As(err, new(*Undefined)) {
		t.Error(err)
	}
}
