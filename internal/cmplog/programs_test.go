package cmplog

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"net/url"
	"strconv"
	"strings"

	"parallax/internal/input"
)

var (
	raw     = input.Shape{input.Bytes}
	rawText = input.Shape{input.String}
)

func data(args []any) []byte { return args[0].([]byte) }

func text(args []any) string { return args[0].(string) }

var programs = []program{
	{"ladder", raw, []any{[]byte("0123456789")}, 100, func(r *recorder, args []any) {
		b := data(args)
		for i, c := range []byte("FUZZING!") {
			if less(r, uint64(100+i), len(b), i+1) || !isInt(r, uint64(i), b[i], c) {
				return
			}
			r.reach(i)
		}
		r.solved = true
	}},
	{"ladder of equal bytes", raw, []any{bytes.Repeat([]byte("A"), 60)}, 1000, func(r *recorder, args []any) {
		b := data(args)
		for i, c := range []byte("FUZZING!") {
			if less(r, uint64(100+i), len(b), 5*i+1) || !isInt(r, uint64(i), b[5*i], c) {
				return
			}
			r.reach(i)
		}
		r.solved = true
	}},
	{"length that is right and not short", raw, []any{[]byte("hello, world")}, 200, func(r *recorder, args []any) {
		b := data(args)
		if len(b) < 2 {
			return
		}
		n := int(b[0])<<8 | int(b[1])
		ints(r, 1, IntEqual, n, len(b)-2, false)
		ints(r, 2, IntOrder, n, 40, true)
		r.solved = n == len(b)-2 && n >= 40
	}},
	{"length behind a magic number", raw, []any{[]byte("MAGC....and what follows")}, 200, func(r *recorder, args []any) {
		b := data(args)
		if len(b) < 8 || !r.is(1, string(b[:4]), "MAGC") {
			return
		}
		n := binary.LittleEndian.Uint32(b[4:])
		ints(r, 2, IntEqual, n, uint32(len(b)-8), false)
		ints(r, 3, IntEqual, n, 77, true)
		r.solved = n == 77 && len(b) == 85
	}},
	{"length of one byte, and data that is too long", raw, []any{append([]byte{9}, bytes.Repeat([]byte("x"), 60)...)}, 200, func(r *recorder, args []any) {
		b := data(args)
		if len(b) == 0 {
			return
		}
		ints(r, 1, IntEqual, int(b[0]), len(b)-1, false)
		ints(r, 2, IntOrder, int(b[0]), 3, true)
		r.solved = int(b[0]) == len(b)-1 && b[0] < 4
	}},
	{"ladder from nothing", raw, []any{[]byte("")}, 200, func(r *recorder, args []any) {
		b := data(args)
		if less(r, 99, len(b), 8) {
			return
		}
		r.reach(99)
		for i, c := range []byte("FUZZING!") {
			if !isInt(r, uint64(i), b[i], c) {
				return
			}
			r.reach(i)
		}
		r.solved = true
	}},
	{"magic", raw, []any{[]byte("some seed, no more")}, 60, func(r *recorder, args []any) {
		b := data(args)
		if less(r, 1, len(b), 16) || !isInt(r, 2, binary.BigEndian.Uint64(b), 0xdeadbeefcafe1234) {
			return
		}
		r.reach(2)
		if !isInt(r, 3, binary.LittleEndian.Uint32(b[8:]), 0x1badb002) {
			return
		}
		r.reach(3)
		r.solved = isInt(r, 4, int16(binary.BigEndian.Uint16(b[12:])), -12345)
	}},
	{"random string", rawText, []any{"hello"}, 5, func(r *recorder, args []any) {
		r.solved = r.is(1, text(args), "IMARANDOMSTRINGJUSTCMPME")
	}},
	{"prefix", rawText, []any{"hello world"}, 20, func(r *recorder, args []any) {
		if s := text(args); r.text(1, Prefix, s, "magic:", true) {
			r.reach(1)
			r.solved = r.text(2, Suffix, s, ".end", true)
		}
	}},
	{"contains", rawText, []any{"hello"}, 30, func(r *recorder, args []any) {
		if s := text(args); r.text(1, Contains, s, "<!--", true) {
			r.reach(1)
			r.solved = r.text(2, Contains, s, "-->", true)
		}
	}},
	{"fold", rawText, []any{"GET / HTTP\nhost: x\n"}, 60, func(r *recorder, args []any) {
		for _, line := range strings.Split(text(args), "\n") {
			k, v, ok := strings.Cut(line, ": ")
			if ok && r.text(1, Fold, k, "Transfer-Encoding", true) {
				r.reach(1)
				r.solved = r.text(2, Fold, v, "chunked", true)
			}
		}
	}},
	{"lower case", rawText, []any{"Some Words Here"}, 60, func(r *recorder, args []any) {
		for _, w := range strings.Fields(strings.ToLower(text(args))) {
			if r.is(1, w, "supercalifragilistic") {
				r.solved = true
			}
		}
	}},
	{"keywords", rawText, []any{"foo bar baz"}, 300, func(r *recorder, args []any) {
		for i, w := range strings.Fields(text(args)) {
			accepted := false
			for n, k := range []string{"select", "insert", "from", "where", "begin", "commit"} {
				r.note(Comparison{Site: uint64(n), Kind: Lookup, ConstB: true, S: w, T: k})
				accepted = accepted || w == k && n == 2*i
			}
			if !accepted {
				return
			}
			r.reach(i)
			r.solved = i == 2
		}
	}},
	{"struct tags", raw, []any{[]byte(`{"a":1}`)}, 200, func(r *recorder, args []any) {
		var m map[string]any
		if json.Unmarshal(data(args), &m) != nil {
			return
		}
		fields := map[string]int{"secret_key": 1, "id": 2, "display_name": 3}
		for _, k := range sortedKeys(m) {
			if f, ok := lookup(r, 1, k, false, fields); ok {
				r.reach(f)
				if v, _ := m[k].(float64); f == 1 {
					r.solved = isInt(r, 2, int64(v), 987654321)
				}
			}
		}
	}},
	{"constant key", raw, []any{[]byte("name=x&size=2")}, 60, func(r *recorder, args []any) {
		q, err := url.ParseQuery(string(data(args)))
		if err != nil {
			return
		}
		if v, ok := lookup(r, 1, "authorization", true, q); ok {
			r.reach(1)
			r.solved = r.is(2, v[0], "let me in & out")
		}
	}},
	{"base64 of json", rawText, []any{base64.StdEncoding.EncodeToString([]byte(`{"op":"x","n":3}`))}, 100, func(r *recorder, args []any) {
		b, err := base64.StdEncoding.DecodeString(text(args))
		if err != nil {
			return
		}
		var v struct {
			Op string
			N  int
		}
		if json.Unmarshal(b, &v) != nil || !r.is(1, v.Op, "say \"launch\"\n") {
			return
		}
		r.reach(1)
		r.solved = isInt(r, 2, v.N, 123456)
	}},
	{"hex token", rawText, []any{"token: 00aabbccddeeff11"}, 60, func(r *recorder, args []any) {
		_, v, _ := strings.Cut(text(args), ": ")
		b, err := hex.DecodeString(v)
		if err != nil || less(r, 1, len(b), 8) {
			return
		}
		r.solved = isInt(r, 2, binary.BigEndian.Uint32(b), 0x89abcdef)
	}},
	{"encoded before it is compared", raw, []any{[]byte("four and more")}, 60, func(r *recorder, args []any) {
		r.solved = r.is(1, hex.EncodeToString(data(args)[:4]), "7f454c46")
	}},
	{"decimal", rawText, []any{"x=7;y=0042"}, 60, func(r *recorder, args []any) {
		var x, y int
		if n, _ := fmt.Sscanf(text(args), "x=%d;y=%d", &x, &y); n < 2 || !isInt(r, 1, x, -70001) {
			return
		}
		r.reach(1)
		r.solved = isInt(r, 2, y, 31337)
	}},
	{"not a number", rawText, []any{"hello"}, 60, func(r *recorder, args []any) {
		n, _ := strconv.Atoi(text(args))
		r.solved = isInt(r, 1, n, 5318008)
	}},
	{"typed", input.Shape{input.Int, input.String, input.Uint16, input.Bool, input.Float64}, []any{3, "", uint16(9), false, 2.0}, 200,
		func(r *recorder, args []any) {
			if !isInt(r, 1, args[0].(int), 123456789) {
				return
			}
			r.reach(1)
			if !r.is(2, args[1].(string), "password") {
				return
			}
			r.reach(2)
			if !lessThan(r, 3, 40000, args[2].(uint16)) {
				return
			}
			r.reach(3)
			flag := 0
			if args[3].(bool) {
				flag = 1
			}
			if !isInt(r, 4, flag, 1) {
				return
			}
			r.reach(4)
			r.solved = isInt(r, 5, int64(args[4].(float64)), 65537)
		}},
	{"length and checksum", raw, []any{[]byte("\x00\x00HDRX the payload of it\x01\x02\x03\x04")}, 200, func(r *recorder, args []any) {
		b := data(args)
		if less(r, 1, len(b), 10) {
			return
		}
		n := len(b)
		ints(r, 2, IntEqual, int(binary.BigEndian.Uint16(b)), n-2, false)
		if int(binary.BigEndian.Uint16(b)) != n-2 {
			return
		}
		r.reach(2)
		if !r.is(3, string(b[2:6]), "RIFF") {
			return
		}
		r.reach(3)
		ints(r, 4, IntEqual, binary.LittleEndian.Uint32(b[n-4:]), crc32.ChecksumIEEE(b[:n-4]), false)
		r.solved = binary.LittleEndian.Uint32(b[n-4:]) == crc32.ChecksumIEEE(b[:n-4])
	}},
	{"all at once", rawText, []any{"aaaa bbbb cccc 1111"}, 20, func(r *recorder, args []any) {
		f := strings.Split(text(args), " ")
		if len(f) != 4 {
			return
		}
		a := r.is(1, f[0], "open")
		b := r.is(2, f[1], "the")
		c := r.text(3, Prefix, f[2], "pod", true)
		n, _ := strconv.Atoi(f[3])
		d := isInt(r, 4, n, 2001)
		r.solved = a && b && c && d
	}},
	{"every place", rawText, []any{"key1 x key1 y key1"}, 20, func(r *recorder, args []any) {
		f := strings.Fields(text(args))
		if len(f) != 5 || f[0] != f[2] || f[2] != f[4] {
			return
		}
		r.solved = r.is(1, f[0], "long-enough")
	}},
	{"six stages", raw, []any{[]byte("....................................")}, 1500, func(r *recorder, args []any) {
		b := data(args)
		if less(r, 1, len(b), 24) || !isInt(r, 2, binary.BigEndian.Uint32(b), 0x7f454c46) {
			return
		}
		r.reach(1)
		if !r.is(3, string(b[4:8]), "six!") {
			return
		}
		r.reach(2)
		if !isInt(r, 4, binary.LittleEndian.Uint64(b[8:]), 0x0102030405060708) {
			return
		}
		r.reach(3)
		if !isInt(r, 5, b[16], 'Q') {
			return
		}
		r.reach(6)
		if !isInt(r, 6, b[17], 'Z') {
			return
		}
		r.reach(4)
		s := string(b[18:])
		if !r.text(7, Prefix, s, "{\"v\":", true) {
			return
		}
		r.reach(5)
		v, _, _ := strings.Cut(s[5:], "}")
		r.solved = r.text(8, Fold, v, "\"Final\"", true)
	}},
	{"utf-16", raw, []any{[]byte("h\x00e\x00l\x00l\x00o\x00")}, 20, func(r *recorder, args []any) {
		var s []byte
		for i := 0; i+1 < len(data(args)); i += 2 {
			if data(args)[i+1] != 0 {
				return
			}
			s = append(s, data(args)[i])
		}
		r.solved = r.is(1, string(s), "Registry Entry")
	}},
	{"percent", rawText, []any{"/p?q=a%20b"}, 40, func(r *recorder, args []any) {
		u, err := url.Parse(text(args))
		if err == nil {
			r.solved = r.is(1, u.Query().Get("q"), "100% & more")
		}
	}},
	{"runes", rawText, []any{"abc"}, 60, func(r *recorder, args []any) {
		for i, c := range []rune(text(args)) {
			if i == 1 && isInt(r, 1, c, 'é') {
				r.reach(1)
			} else if i == 2 && isInt(r, 2, c, '世') {
				r.solved = true
			}
		}
	}},
	{"varint", raw, []any{[]byte("\x08\x05\x12\x01x")}, 60, func(r *recorder, args []any) {
		v, n := binary.Uvarint(data(args)[1:])
		r.solved = n > 0 && isInt(r, 1, v, 1<<40)
	}},
	{"tar header", raw, []any{[]byte("name\x0000000644\x00more")}, 60, func(r *recorder, args []any) {
		if b := data(args); len(b) >= 13 {
			v, err := strconv.ParseUint(string(b[5:13]), 8, 64)
			r.solved = err == nil && isInt(r, 1, int64(v), 0o4755)
		}
	}},
	{"empty value", raw, []any{[]byte(`{"id":1,"name":""}`)}, 60, func(r *recorder, args []any) {
		var v struct{ Name string }
		if json.Unmarshal(data(args), &v) == nil {
			r.solved = r.is(1, v.Name, `a "quoted" name`)
		}
	}},
	{"long text", rawText, []any{"head " + strings.Repeat("0123456789abcdef", 40) + "\ntail"}, 60, func(r *recorder, args []any) {
		_, rest, _ := strings.Cut(text(args), " ")
		if v, tail, _ := strings.Cut(rest, "\n"); r.is(1, v, "short") {
			r.reach(1)
			r.solved = r.text(2, Suffix, tail, "~", true)
		}
	}},
	{"exact length", input.Shape{input.Bytes, input.Bytes}, []any{[]byte("abc"), []byte("0123456789")}, 60, func(r *recorder, args []any) {
		if isInt(r, 1, len(args[0].([]byte)), 32) {
			r.reach(1)
			r.solved = isInt(r, 2, len(args[1].([]byte)), 4)
		}
	}},
	{"table of variables", rawText, []any{"verb noun"}, 60, func(r *recorder, args []any) {
		w, _, _ := strings.Cut(text(args), " ")
		for _, k := range []string{"alpha", "bravo", "charlie", "delta"} {
			if r.text(1, StringEqual, w, k, false) && k == "delta" {
				r.solved = true
			}
		}
	}},
	{"structure", raw, []any{[]byte(`{"a":1}`)}, 2000, func(r *recorder, args []any) {
		var v struct {
			Kind  string
			Count int
			Inner *struct{ Deep string }
		}
		var m, in map[string]any
		if json.Unmarshal(data(args), &m) != nil {
			return
		}
		for i, k := range sortedKeys(m) {
			if f, ok := lookup(r, 1, k, false, map[string]int{"kind": 1, "count": 2, "inner": 3}); ok {
				r.reach(10*f + i)
			}
			if in, _ = m["inner"].(map[string]any); in != nil {
				r.reach(50)
				for _, k := range sortedKeys(in) {
					lookup(r, 2, k, false, map[string]int{"deep": 1})
				}
			}
		}
		if json.Unmarshal(data(args), &v) != nil {
			return
		}
		if !r.is(3, v.Kind, "launch \"now\"") {
			return
		}
		r.reach(100)
		if less(r, 4, v.Count, 1000000) {
			return
		}
		r.reach(101)
		if v.Inner == nil {
			return
		}
		r.reach(102)
		r.solved = r.text(5, Fold, v.Inner.Deep, "bottom", true)
	}},
	{"noise", rawText, []any{"for i := 0; i < n; i++ { a[i] = b[i] * 2 }"}, 2500, func(r *recorder, args []any) {
		s := text(args)
		n := len(s)
		for i := 0; i < n; i++ {
			ints(r, 1, IntOrder, i, n, false)
			c := s[i]
			for site, k := range []byte(" \t\n{}[]()<>=+-*/;:,.\"'\\") {
				ints(r, uint64(10+site), IntEqual, c, k, true)
			}
			for site, k := range []byte("azAZ09") {
				ints(r, uint64(50+site), IntOrder, c, k, true)
			}
		}
		for _, w := range strings.Fields(s) {
			if r.is(100, w, "goto") {
				r.reach(1)
				r.solved = r.text(101, Contains, s, "\x00\x01hidden", true)
			}
		}
	}},
}

func lessThan(r *recorder, site uint64, constant int, v uint16) bool {
	r.note(Comparison{Site: site, Kind: IntOrder, Width: 8, ConstA: true, Signed: true, A: uint64(constant), B: uint64(v)})
	return cmp.Less(constant, int(v))
}
