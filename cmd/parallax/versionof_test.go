package main

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	const revision, unreplaced = "0123456789abcdef0123456789abcdef01234567", "$Format:%H$\n"
	vcs := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: modified}}
	}
	for _, tt := range []struct {
		name     string
		info     *debug.BuildInfo
		given    string
		archived string
		want     string
		known    bool
	}{
		{"go install module@version", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "", unreplaced, "v1.2.3", true},
		{"go build", &debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-20240101120000-0123456789ab+dirty"}}, "", unreplaced, "v0.0.0-20240101120000-0123456789ab+dirty", true},
		{"go build of Go 1.23", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: vcs("false")}, "", unreplaced, "devel-0123456789ab", true},
		{"the same, changed", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: vcs("true")}, "", unreplaced, "devel-0123456789ab+dirty", true},
		{"an archive", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "", revision + "\n", "devel-0123456789ab", true},
		{"make build", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "0123456789ab+dirty", unreplaced, "devel-0123456789ab+dirty", true},
		{"-buildvcs=false", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "", unreplaced, "devel", false},
		{"a test binary", &debug.BuildInfo{Path: "parallax/cmd/parallax.test"}, "", unreplaced, "devel", false},
		{"no build information", nil, "", unreplaced, "(unknown)", false},
	} {
		if got, why := versionOf(tt.info, tt.given, tt.archived); got != tt.want || (why == "") != tt.known {
			t.Errorf("%s: %s, %q", tt.name, got, why)
		}
	}
}
