package finding

// OrLocal returns the version of a module for people. Code without a version is the user's own.
func OrLocal(version string) string {
	if version == "" {
		return "local code"
	}
	return version
}
