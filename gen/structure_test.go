package gen

import (
	"fmt"
	"math"
	"reflect"
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

// few has tags for elements, and fields that are hard to reach.
type few struct {
	All  map[bool]int `gen:"len=2"`
	Some map[struct {
		A int8 `gen:"min=0,max=2"`
	}]bool `gen:"len=3"`
	Each [2]*int `gen:"nonnil"`
	Next *loop   `gen:"nonnil,structural"`
	Text *string `gen:"len=2"`
}

type loop struct {
	Next *loop `gen:"value"`
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

func TestOfStruct(t *testing.T) {
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
	draws(t, Of[few](), 200, func(v few) {
		if len(v.All) != 2 || len(v.Some) < 3 || v.Each[1] == nil || v.Next == nil || v.Text != nil && len([]rune(*v.Text)) != 2 {
			t.Fatalf("%+v", v)
		}
	})
	draws(t, Of[[]map[uint8]complex64](), 100, func([]map[uint8]complex64) {})
}

// TestOfFaults checks that impossible types panic with the field's name when the generator is made.
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
		}, `.A is of type int: the tag "mn=3": want -, min=N`},
		{func() {
			Of[struct {
				A int `gen:"min=x"`
			}]()
		}, `.A is of type int: the tag "min=x": want a number from -9223372036854775808 to`},
		{func() {
			Of[struct {
				A int8 `gen:"in=1|300"`
			}]()
		}, `.A is of type int8: the tag "in=1|300": "300" is none of int8: value out of range`},
		{func() {
			Of[struct {
				A int `gen:"min=3,max=2"`
			}]()
		}, `the tag "max=2": there is no number from 3 to 2`},
		{func() {
			Of[struct {
				a int `gen:"min=3"`
			}]()
		}, "not exported"},
		{func() {
			Of[struct {
				A string `gen:"min=3"`
			}]()
		}, `.A is of type string: the tag "min=3": it does not fit the type, for which there is len=N..M, in=A|B, match=EXPRESSION, structural or value`},
		{func() {
			Of[struct {
				A int `gen:"len=3"`
			}]()
		}, `.A is of type int: the tag "len=3": it does not fit the type, for which there is min=N, max=N, in=A|B, structural or value`},
		{func() {
			Of[struct {
				A []string `gen:"match=("`
			}]()
		}, `.A[] is of type string: the tag "match=(": error parsing regexp: missing closing )`},
		{func() {
			Of[struct {
				A []int `gen:"len=3,match=a"`
			}]()
		}, `.A[] is of type int: the tag "match=a": it does not fit`},
		{func() {
			Of[struct {
				A []*int `gen:"in=1|x"`
			}]()
		}, `.A[] is of type int: the tag "in=1|x": "x" is none of int: invalid syntax`},
		{func() {
			Of[struct {
				A bool `gen:"in=true"`
			}]()
		}, "in is for strings and numbers"},
		{func() {
			Of[struct {
				A int `gen:"in=1|2,max=2"`
			}]()
		}, `the tag "max=2": it does not fit`},
		{func() {
			Of[struct {
				A int `gen:"nonnil"`
			}]()
		}, `the tag "nonnil": it does not fit`},
		{func() {
			Of[struct {
				A int8 `gen:"min=-1000"`
			}]()
		}, `the tag "min=-1000": want a number from -128 to 127`},
		{func() {
			Of[struct {
				A float32 `gen:"min=2,max=nan"`
			}]()
		}, `the tag "max=nan": want a number`},
		{func() {
			Of[struct {
				A float64 `gen:"min=0,max=inf"`
			}]()
		}, `the tag "max=inf": want a number`},
		{func() { FloatRange(math.Inf(-1), 0) }, "has an end that is no number"},
		{func() {
			Of[struct {
				A float64 `gen:"min=2,max=1"`
			}]()
		}, `the tag "max=1": there is no number from 2 to 1`},
		{func() {
			Of[struct {
				A map[bool]int `gen:"len=3..5"`
			}]()
		}, `.A is of type map[bool]int: the tag "len=3..5": there are 2 keys, and no more entries`},
		{func() {
			Of[struct {
				A map[struct {
					A int `gen:"min=1,max=2"`
					B bool
					C string `gen:"-"`
				}]int `gen:"len=5"`
			}]()
		}, `there are 4 keys`},
		{func() {
			Of[struct {
				A []int `gen:"len=5..3"`
			}]()
		}, `the tag "len=5..3": want len=N or len=N..M`},
		{func() {
			Of[struct {
				A string `gen:"len=3,match=a"`
			}]()
		}, `the tag "match=a": it excludes "len=3"`},
		{func() {
			Of[struct {
				A int `gen:"structural,value"`
			}]()
		}, `it excludes "value"`},
		{func() {
			Of[struct {
				A int `gen:"min=1,min=2"`
			}]()
		}, "there is another min"},
		{func() {
			Of[struct {
				A int `gen:"-,min=2"`
			}]()
		}, "it stands alone"},
		{func() {
			Of[struct {
				A int `gen:"structural=1"`
			}]()
		}, `the tag "structural=1": want -`},
		{func() {
			Of[struct {
				A part `gen:"len=1"`
			}]()
		}, `the tag "len=1": it does not fit the type, for which there is structural or value`},
		{func() {
			b := &builder{made: map[reflect.Type]*filler{}}
			typ := reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeOf(0), Tag: `json:"gen:" gen:min=3`}})
			b.filler(typ, "m.T", nil)
		}, `m.T.A is of type int: the tag "gen:min=3": want gen:"..."`},
	} {
		func() {
			defer func() {
				if v := fmt.Sprint(recover()); !strings.Contains(v, test.want) {
					t.Errorf("%s, want %s", v, test.want)
				}
			}()
			test.make()
		}()
	}
}
