package golang

import "testing"

func TestBuildStd(t *testing.T) {
	m := newModule(t, "go.mod", "module x\ngo 1.22\n", "main.go", `package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"strconv"
)

func main() {
	var v any
	fmt.Println(json.Unmarshal([]byte("[1,{\"a\":null}]"), &v), v)
	fmt.Println(netip.MustParseAddr("1.2.3.4"))
	fmt.Println(net.ParseCIDR("10.0.0.0/8"))
	fmt.Println(regexp.MustCompile("a+(b|c)*$").FindString("xaabcb"))
	fmt.Println(strconv.Quote("a\n"))
}
`)
	std := []string{"encoding/json", "strconv", "net/netip", "net", "regexp"}
	want := "<nil> [1 map[a:<nil>]]\n1.2.3.4\n10.0.0.0 10.0.0.0/8 <nil>\naabcb\n\"a\\n\"\n"
	if got := m.run(m.build(Options{}, std)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
