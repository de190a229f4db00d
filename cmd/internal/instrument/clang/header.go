package clang

// Header is parallax.h, which harnesses may include: compilations find it by themselves, reproducers bring it along.
func Header() []byte {
	text, err := sources.ReadFile("runtime/parallax.h")
	if err != nil {
		panic(err) // it is embedded
	}
	return text
}
