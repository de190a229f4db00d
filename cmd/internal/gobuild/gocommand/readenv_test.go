package gocommand

import (
	"context"
	"testing"
)

// TestUnguardedCommands checks that commands of the go command have a guard unless they start no
// process.
func TestUnguardedCommands(t *testing.T) {
	ctx, c := context.Background(), Command{Dir: t.TempDir(), Guard: "/there/is/none"}
	if e, err := ReadEnv(ctx, c); err != nil || e.GOVERSION == "" {
		t.Errorf("%+v, %v", e, err)
	}
	for _, tt := range []struct {
		args  []string
		alone bool
	}{
		{[]string{"env", "GOROOT"}, true}, {[]string{"mod", "edit", "-json", "go.mod"}, true}, {[]string{"work", "edit", "-json"}, true},
		{[]string{"mod", "download"}, false}, {[]string{"mod"}, false}, {[]string{"list"}, false}, {[]string{"build"}, false},
	} {
		if alone(tt.args) != tt.alone {
			t.Errorf("go %q: %v", tt.args, alone(tt.args))
		}
	}
	c.Args = []string{"list", "std"}
	if _, _, err := Run(ctx, c); err == nil {
		t.Error("go list runs without a guard")
	}
}
