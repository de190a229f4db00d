package clang

// Header returns parallax.h, which harnesses may include. Compilations find it without options, and
// reproducers contain it.
func Header() []byte {
	text, err := sources.ReadFile("runtime/parallax.h")
	if err != nil {
		panic(err) // it is embedded
	}
	return text
}
