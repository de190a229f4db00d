package report

// Words are a place's function, short, and in a sentence what the finding's input did there; empty where they are not known.
func (at *Place) Words() (function, did string) {
	switch {
	case at.Changed:
		did = "executed, and other code in the other program"
	case at.Branch != "":
		did = taken(at.Branch)
	}
	return shortFunction(at.Function), did
}
