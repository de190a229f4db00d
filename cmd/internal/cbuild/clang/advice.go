package clang

import (
	"fmt"
	"os"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
)

var (
	// lacksCXX matches missing symbols of C++ in a link with the C compiler.
	lacksCXX = lazyregexp.New("undefined (?:reference to|symbol:?) [`'\"]?(?:__gxx_personality_v0|std::|(?:vtable|typeinfo) for (?:std::|__cxxabiv1::)|operator (?:new|delete))")
	// lacksEntry matches a missing entry point. Its name also precedes other missing symbols.
	lacksEntry = lazyregexp.New("undefined (?:reference to|symbol:?) [`'\"]?" + entry)
)

const linkCXX = "C++ is among what is linked, and the C compiler links without the library of C++: link C++ by parallax c++"

// advice returns advice for a link that failed for a reason that users of parallax meet, or "".
func advice(said string) string {
	switch {
	case strings.Contains(said, "LLVMFuzzerRunDriver"):
		return "the program calls LLVMFuzzerRunDriver, libFuzzer's own loop, in whose place parallax runs programs: leave main out, and" +
			" define LLVMFuzzerInitialize for what comes before the first input"
	case lacksCXX().MatchString(said):
		return linkCXX
	case lacksEntry().MatchString(said):
		return "the program has no main function and no " + entry + `: to make a harness of it, define int ` + entry +
			`(const uint8_t *data, size_t size), in C++ with extern "C" before it`
	case strings.Contains(said, "multiple definition of") || strings.Contains(said, "duplicate symbol"):
		return "two of the files define the same symbols, as two libraries do that implement one interface: link a harness for each" +
			" and compare them as two programs of a parallax.toml"
	case strings.Contains(said, "__sanitizer_cov_") || strings.Contains(said, "__start___sancov"):
		return "an object file has counters and the link lacks what they need: link with the compiler that parallax is too," +
			" in CC and CXX"
	}
	return ""
}

func (w *wrapper) advise(text string) {
	if text == linkCXX && w.compiler == "c++" {
		text = "the library of C++ lacks what the files want, as one of two libraries does (-stdlib=): compile and link all of them in the same way"
	}
	if !w.probe {
		fmt.Fprintf(os.Stderr, "parallax %s: %s\n", w.compiler, text)
	}
}
