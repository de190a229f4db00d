package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// subject is a function of a package.
type subject struct {
	name     string
	node     bool
	install  string // as pip and npm take it
	function []string
	seeds    []string
	repeat   int // of 1,000 inputs
}

var subjects = []subject{
	{name: "python-dateutil", install: "python-dateutil==2.9.0.post0", function: []string{"dateutil.parser:parse"}, repeat: 10,
		seeds: []string{"2024-02-29T12:34:56Z", "Thu Sep 25 10:36:28 2003", "10 pm, July 4th 1999", "19990101T2359", "5/6/07 8:09:10.11 UTC+3"}},
	{name: "PyYAML", install: "PyYAML==6.0.2", function: []string{"yaml:safe_load"}, repeat: 3,
		seeds: []string{"a: 1\nb: [x, 2.5, null]\n", "- &x {k: v}\n- *x\n", "key: |\n  text\n  more\n", "? a\n: !!int '3'\n", "[1, \"q\\n\", 'it''s', 2001-01-01]"}},
	{name: "packaging", install: "packaging==24.2", function: []string{"packaging.requirements:Requirement"}, repeat: 15,
		seeds: []string{"requests[security]>=2.8.1,==2.8.*; python_version < '2.7'", "name @ https://example.com/x.zip", "A.B-C_d", "x!=1.0rc1; os_name=='nt' and extra=='y'"}},
	{name: "tomli", install: "tomli==2.0.2", function: []string{"tomli:loads"}, repeat: 15,
		seeds: []string{"a = 1\n[b.c]\nd = \"x\\n\"\n", "[[t]]\nx = 1979-05-27T07:32:00Z\n", "s = '''\nraw'''\nf = 1e3\n", "i = {a = [1, 0x1F], b = true}\n"}},
	{name: "semver", node: true, install: "semver@7.6.3", function: []string{"semver", "validRange"}, repeat: 60,
		seeds: []string{">=1.2.3 <2.0.0-beta.1 || ~1.4", "^0.0.1", "1.x - 2.3.x", ">1 <=3.0.0+build.5", "*"}},
	{name: "qs", node: true, install: "qs@6.13.0", function: []string{"qs", "parse"}, repeat: 60,
		seeds: []string{"a[b][c]=d&e=f%20g", "x[]=1&x[]=2&x[5]=3", "a.b=c&&=&d", "utf8=%E2%9C%93&n[0][k]=v"}},
	{name: "js-yaml", node: true, install: "js-yaml@4.1.0", function: []string{"js-yaml", "load"}, repeat: 60,
		seeds: []string{"a: 1\nb: [x, 2.5, null]\n", "- &x {k: v}\n- *x\n", "key: |\n  text\n  more\n", "? a\n: !!int '3'\n", "[1, \"q\\n\", 'it''s', 2001-01-01]"}},
	{name: "marked", node: true, install: "marked@12.0.2", function: []string{"marked", "parse"}, repeat: 30,
		seeds: []string{"# T\n\n* a\n* b **c**\n", "[x](y \"z\") ![i](j)\n\n> q\n", "a | b\n--|--\n1 | 2\n", "```js\ncode\n```\n<p>h</p> `c`"}},
}

func (s subject) inputs() [][]byte { return mutants(s.seeds, 1000) }

// command returns the arguments of the interpreter.
func (s subject) command(drivers, place string) []string {
	if s.node {
		return append([]string{filepath.Join(drivers, "driver.mjs")}, append(s.function, "--text")...)
	}
	return append([]string{filepath.Join(drivers, "parallax_driver.py")}, append(s.function, "--text")...)
}

// install installs the package into a folder of its own, and copies the drivers with other ways to
// cover next to it.
func (b *bench) install(s subject, interpreter, version string) (string, error) {
	place := filepath.Join(b.work, s.name)
	if !s.node {
		place += "-" + strings.ReplaceAll(version, " ", "-")
	}
	if err := b.others(); err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(place, "installed")); err == nil {
		return place, nil
	}
	if err := os.MkdirAll(place, 0o777); err != nil {
		return "", err
	}
	cmd := exec.Command(interpreter, "-m", "pip", "install", "--quiet", "--target", place, s.install)
	if s.node {
		cmd = exec.Command("npm", "install", "--silent", "--prefix", place, s.install)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return place, os.WriteFile(filepath.Join(place, "installed"), nil, 0o666)
}

// others makes folders with a driver and another way to cover.
func (b *bench) others() error {
	for to, from := range map[string]string{
		"monitoring/parallax_driver.py": "drivers/python/parallax_driver.py",
		"monitoring/inserted.py":        "drivers/python/parallax_cover.py",
		"monitoring/parallax_cover.py":  "bench/cover/others/monitoring/parallax_cover.py",
		"v8/driver.mjs":                 "drivers/node/driver.mjs",
		"v8/cover.mjs":                  "bench/cover/others/v8/cover.mjs",
	} {
		data, err := os.ReadFile(filepath.Join(b.root, from))
		if err != nil {
			return err
		}
		path := filepath.Join(b.work, to)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}
