// Package clang builds C and C++ programs for parallax and reads their metadata. Its parts, in the
// order of their use:
//
//   - Main is the compiler for CC and CXX (`parallax cc` and `parallax c++`). It makes the fast
//     Variant of a harness, with the runtime in C of the folder runtime.
//   - Open reads the note in a built harness, and returns a Build. To run a program, start here.
//   - Build.Make makes another Variant on demand: one records the operands of comparisons, one has
//     sanitizers.
//   - ReadTable reads the static map of blocks, and a Symbolizer finds the lines of addresses.
//
// One run of the user's build makes every variant possible, without changes of the build system. An
// object file carries the preprocessed source (`.parallax.source`) or the objects of the other
// variants (`.parallax.operands`, `.parallax.sanitize`) as sections that linkers omit. Archives
// carry object files. Only the link of a harness extracts them, into the folder PROGRAM.parallax
// next to the program, where the other variants are linked. A program with its own main function is
// linked once, since its variants would not be used.
//
// The user's build sees the outputs, messages and exit codes that clang would have for the fast
// variant. A variant that cannot be built is omitted with a reason and never fails the build. Files
// are written atomically. Object files depend only on the sources and the options.
package clang

// A Variant is one way to build a program.
type Variant string

// The variants of a program. Fast is the program itself, under the user's name for it.
const (
	// Fast counts: for fuzzing.
	Fast Variant = "fast"
	// CmpLog records the operands of comparisons, counts exactly, and knows the order of first
	// executions.
	CmpLog Variant = "operands"
	// Sanitize finds errors of memory and undefined behavior: crashes are confirmed there.
	Sanitize Variant = "sanitize"
)

// Variants lists all variants, the program itself first.
var Variants = []Variant{Fast, CmpLog, Sanitize}

// wrapped lists functions that are replaced at the link to record their operands. The compiler must
// not inline their calls. This also applies to the fast variant, which would otherwise have other
// blocks. For libxml2 2.9.14 at -O2, 5 of the 44 object files had another number of counters.
var wrapped = []string{"memcmp", "bcmp", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "memmem", "strstr"}

// wrappedStrings lists functions of libstdc++'s std::string, in whose shared library nothing else
// is wrapped.
var wrappedStrings = []string{"7compareEPKc", "7compareERKS4_", "7compareEmmPKc", "7compareEmmPKcm", "7compareEmmRKS4_",
	"4findEPKcmm", "4findEPKcm", "4findERKS4_m", "5rfindEPKcmm", "5rfindEPKcm", "5rfindERKS4_m"}

const stringOfChar = "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE"

// sanitizers holds the flags of the sanitize variant. Three checks of undefined behavior are
// excluded, since they report much that works on all supported machines. These are alignment (loads
// from unaligned addresses), function (calls through pointers of another type), and vptr, which
// also needs the runtime of C++.
var sanitizers = []string{"-fsanitize=address,undefined", "-fno-sanitize=alignment,function,vptr"}

// compileFlags returns the flags of a compilation. They precede the user's own, so that the user's
// -g or -fno-sanitize= take effect.
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

// asCalls appends flags that keep calls of the wrapped functions.
func asCalls(flags []string) []string {
	for _, f := range wrapped {
		flags = append(flags, "-fno-builtin-"+f)
	}
	return flags
}

// linkFlags returns the flags of the link of an executable, which precede the user's own.
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
