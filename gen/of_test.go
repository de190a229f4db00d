package gen

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

type request struct {
	Method  string `gen:"in=GET|POST,structural"`
	Path    string `gen:"match=/[a-z]{1,3}(,x)?"`
	Port    uint16 `gen:"min=1,max=1024"`
	Header  map[string][]string
	Body    []byte  `gen:"len=2..4"`
	Codes   []int   `gen:"len=1..3,min=-2,max=2"`
	Ratio   float32 `gen:"min=0,max=1"`
	Part    *part
	Always  *part `gen:"nonnil"`
	When    time.Time
	Wait    time.Duration
	Flags   [3]bool
	Handler func() `gen:"-"`
	secret  int
}

type part struct {
	Name string `gen:"len=0..2"`
	Next *part
	All  []part
}

func (p *part) depth() int {
	if p == nil {
		return 0
	}
	n := p.Next.depth()
	for i := range p.All {
		n = max(n, p.All[i].depth())
	}
	return n + 1
}

func TestOf(t *testing.T) {
	path := regexp.MustCompile(`^/[a-z]{1,3}(,x)?$`)
	seen := map[string]int{}
	deepest := 0
	draws(t, Map(Of[request](), func(r request) string {
		if r.Method != "GET" && r.Method != "POST" || !path.MatchString(r.Path) || r.Port < 1 || r.Port > 1024 || len(r.Body) < 2 || len(r.Body) > 4 ||
			len(r.Codes) < 1 || len(r.Codes) > 3 || r.Ratio < 0 || r.Ratio > 1 || r.Always == nil || r.Handler != nil || r.secret != 0 {
			t.Fatalf("%+v", r)
		}
		for _, n := range r.Codes {
			if n < -2 || n > 2 {
				t.Fatal(n)
			}
		}
		seen[r.Method]++
		seen[fmt.Sprint(r.Part == nil)]++
		seen[fmt.Sprint("header ", len(r.Header) > 0)]++
		deepest = max(deepest, r.Always.depth())
		return fmt.Sprint(r.Method, r.Path, r.Port, r.Codes, r.When, r.Part.depth())
	}), 500, func(string) {})
	for _, name := range []string{"GET", "POST", "true", "false", "header true", "header false"} {
		if seen[name] == 0 {
			t.Errorf("no %s in %v", name, seen)
		}
	}
	if deepest < 4 || deepest > nested+2 {
		t.Errorf("parts are %d deep", deepest)
	}
	draws(t, Of[int](), 100, func(int) {})
	draws(t, Of[[]map[uint8]complex64](), 100, func([]map[uint8]complex64) {})
}

// What cannot be drawn is said with the field's name, when the generator is made.
func TestOfFaults(t *testing.T) {
	for _, test := range []struct {
		make func()
		want string
	}{
		{func() { Of[struct{ A struct{ B any } }]() }, ".A.B is of type interface {}"},
		{func() { Of[chan int]() }, "chan int"},
		{func() {
			Of[struct {
				A int `gen:"mn=3"`
			}]()
		}, `.A: the tag "mn=3"`},
		{func() {
			Of[struct {
				A int `gen:"min=x"`
			}]()
		}, `.A: the bound "x"`},
		{func() {
			Of[struct {
				A int8 `gen:"in=1|300"`
			}]()
		}, "300"},
		{func() {
			Of[struct {
				A int `gen:"min=3,max=2"`
			}]()
		}, "no number from 3 to 2"},
		{func() {
			Of[struct {
				a int `gen:"min=3"`
			}]()
		}, "not exported"},
	} {
		func() {
			defer func() {
				if v := fmt.Sprint(recover()); !strings.Contains(v, test.want) {
					t.Errorf("%q, want %q", v, test.want)
				}
			}()
			test.make()
		}()
	}
}
