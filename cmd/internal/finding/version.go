package finding

// OrLocal is the version of a module for people: code without one is the user's own.
func OrLocal(version string) string {
	if version == "" {
		return "local code"
	}
	return version
}
