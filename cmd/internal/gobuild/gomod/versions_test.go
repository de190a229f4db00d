package gomod

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

func TestVersions(t *testing.T) {
	ctx, out := context.Background(), filepath.Join(t.TempDir(), "versions")
	v, err := ListVersions(ctx, moduletest.Self(t), out, "github.com/google/uuid")
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Listed) < 10 || v.Listed[0] != "v1.0.0" {
		t.Errorf("versions %v", v.Listed)
	}
	if got, err := v.Find(ctx, "v1.3.0"); err != nil || got != "v1.3.0" {
		t.Errorf("v1.3.0 is %s, %v", got, err)
	}
	if got, err := v.Find(ctx, "v1.3"); err != nil || got != "v1.3.1" {
		t.Errorf("v1.3 is %s, %v", got, err)
	}
	_, err = v.Find(ctx, "v1.99.0")
	moduletest.WantError(t, err, exit.UsageCode, "github.com/google/uuid has no version v1.99.0 (it has v1.0.0, v1.1.0, ..., ")
	_, err = v.Find(ctx, "v1.3.99")
	moduletest.WantError(t, err, exit.UsageCode, "has no version v1.3.99 (the nearest that it has are v1.3.0, v1.3.1, v1.4.0, v1.5.0)")
	_, err = v.Find(ctx, "1.3.0")
	moduletest.WantError(t, err, exit.UsageCode, "did you mean v1.3.0?")
	_, err = v.Find(ctx, "a b")
	moduletest.WantError(t, err, exit.UsageCode, `"a b" is not a version`)
	_, err = ListVersions(ctx, moduletest.Self(t), out, "github.com/google/no-such-module")
	moduletest.WantError(t, err, exit.UsageCode, "the versions of module github.com/google/no-such-module cannot be listed")
	t.Setenv("GOPROXY", "off")
	_, err = ListVersions(ctx, moduletest.Self(t), out, "github.com/google/uuid")
	moduletest.WantError(t, err, exit.UsageCode, "GOPROXY=off")
}

// TestRetracted checks that retracted versions are recognized. The proxy is a folder.
func TestRetracted(t *testing.T) {
	proxy := moduletest.Tree(t, `
-- example.com/r/@v/list --
v1.0.0
v1.1.0
v1.2.0
-- example.com/r/@v/v1.2.0.info --
{"Version":"v1.2.0","Time":"2024-01-02T00:00:00Z"}
-- example.com/r/@v/v1.2.0.mod --
module example.com/r

retract v1.1.0
`)
	t.Setenv("GOPROXY", "file://"+proxy)
	t.Setenv("GONOSUMDB", "example.com")
	v, err := ListVersions(context.Background(), moduletest.Self(t), t.TempDir(), "example.com/r")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(v.Listed, " ") + " | " + strings.Join(v.Retracted, " "); got != "v1.0.0 v1.1.0 v1.2.0 | v1.1.0" {
		t.Errorf("versions %s", got)
	}
	known, err := Known(context.Background(), moduletest.Self(t), t.TempDir(), "example.com/r")
	if err != nil {
		t.Fatal(err)
	}
	_, err = known.Download(context.Background(), "v1.1.99")
	moduletest.WantError(t, err, exit.UsageCode, "module example.com/r has no version v1.1.99 (it has v1.0.0, v1.1.0, v1.2.0)")
	if _, err := os.Stat(filepath.Join(proxy, "example.com")); err != nil {
		t.Fatal(err)
	}
}
