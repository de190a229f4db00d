// Package clang builds C and C++ programs for parallax and tells what was built.
//
// It owns the compiler that users put into CC and CXX (`parallax cc` and `parallax c++`: Main), which compiles and links the variants
// of a harness (see Variant), the fast one at once and the others when they are needed (Build.Make); the runtime that harnesses are linked with
// (the folder runtime, in C); the note that a built harness carries, with its reader (Open); and the static map of what was
// built (ReadTable). Whoever runs such programs starts from Open.
//
// One run of the user's build makes every variant possible, and the build system need not know: an object file carries the
// preprocessed source (`.parallax.source`) or the objects of the other variants (`.parallax.operands`, `.parallax.sanitize`) as
// sections that linkers leave out, and archives carry object files. Only the link of a harness takes them out again, into the folder
// PROGRAM.parallax beside the program, where the other variants are linked. A program with a main function of its own is linked once: nobody would run its variants.
//
// Invariants: what the user's build sees (outputs, messages, exit codes) is what clang would have shown for the fast variant;
// a variant that cannot be built is left out with a reason and never fails the build; files appear whole or not at all;
// object files depend on the sources and the options only.
package clang

// A Variant is one way to build a program.
type Variant string

// The variants of a program. Fast is the program itself, under the name that the user gave it.
const (
	// Fast counts: for fuzzing.
	Fast Variant = "fast"
	// CmpLog records the operands of comparisons, counts exactly, and knows the order of first executions.
	CmpLog Variant = "operands"
	// Sanitize finds errors of memory and undefined behavior: crashes are confirmed there.
	Sanitize Variant = "sanitize"
)

// Variants are all variants, the program itself first.
var Variants = []Variant{Fast, CmpLog, Sanitize}

// wrapped are the functions whose operands are recorded by taking their place at the link. The compiler must not turn calls of them into
// code of its own; and in the fast variant neither, because it would have other blocks then: 5 of the 44 object files of
// libxml2 2.9.14 at -O2 had more counters or fewer.
var wrapped = []string{"memcmp", "bcmp", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "memmem", "strstr"}

// wrappedStrings are functions of libstdc++'s std::string, in whose shared library nothing else is wrapped.
var wrappedStrings = []string{"7compareEPKc", "7compareERKS4_", "7compareEmmPKc", "7compareEmmPKcm", "7compareEmmRKS4_",
	"4findEPKcmm", "4findEPKcm", "4findERKS4_m", "5rfindEPKcmm", "5rfindEPKcm", "5rfindERKS4_m"}

const stringOfChar = "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE"

// sanitizers are looked for in the sanitize variant. Three checks of undefined behavior are left out, because they report much
// that works on every machine that parallax runs on: alignment (loads from unaligned addresses), function (calls through a pointer
// of another type), and vptr, which also needs the runtime of C++.
var sanitizers = []string{"-fsanitize=address,undefined", "-fno-sanitize=alignment,function,vptr"}

// compileFlags are given to clang before the user's own for a source, so that the user's -g or -fno-sanitize= still count.
func (v Variant) compileFlags() []string {
	flags := []string{"-gline-tables-only"}
	switch v {
	case Fast:
		flags = append(asCalls(flags), "-fsanitize-coverage=inline-8bit-counters,pc-table,control-flow")
	case CmpLog:
		flags = append(asCalls(flags), "-fsanitize-coverage=trace-pc-guard,pc-table,trace-cmp")
	case Sanitize:
		flags = append(flags, sanitizers...)
		flags = append(flags, "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer",
			"-fsanitize-coverage=inline-8bit-counters,pc-table")
	}
	return flags
}

// asCalls keeps calls of the wrapped functions what they are.
func asCalls(flags []string) []string {
	for _, f := range wrapped {
		flags = append(flags, "-fno-builtin-"+f)
	}
	return flags
}

// linkFlags are given to clang before the user's own at the link of an executable.
func (v Variant) linkFlags() []string {
	switch v {
	case CmpLog:
		var flags []string
		for _, f := range wrapped {
			flags = append(flags, "-Wl,--wrap="+f)
		}
		for _, f := range wrappedStrings {
			flags = append(flags, "-Wl,--wrap="+stringOfChar+f)
		}
		return flags
	case Sanitize:
		return sanitizers
	}
	return nil
}
