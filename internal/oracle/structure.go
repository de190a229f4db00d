package oracle

import (
	"math"
	"reflect"
	"sort"
	"sync"
	"time"
)

// plan describes the walk of a struct type. Plans are cached, since reflect allocates for a field's
// name.
type plan struct {
	form   planForm
	name   string
	hash   uint64 // of the name
	fields []planField
}

type planField struct {
	name  string
	hash  uint64 // of the name
	index int
}

type planForm uint8

const (
	planFields   planForm = iota
	planTime              // time.Time, by instant
	planLocation          // time.Location, by name: it caches zones
	planOpaque            // locks and seeds, by type only
	planText              // structs without fields that count, by text
)

var (
	timeType     = reflect.TypeOf(time.Time{})
	locationType = reflect.TypeOf(time.Location{})
)

func (w *walker) planOf(t reflect.Type) *plan {
	if p := w.plans[t]; p != nil {
		return p
	}
	p := &plan{name: "struct"}
	if t.Name() != "" {
		// The name has the short form of the package: versions of a module and vendored copies
		// differ in the path.
		p.name = t.String()
	}
	switch {
	case t == timeType:
		p.form = planTime
	case t == locationType:
		p.form = planLocation
	case t.PkgPath() == "sync" || t.PkgPath() == "hash/maphash":
		p.form = planOpaque
	}
	p.hash = hash(0).text(p.name).sum()
	hidden := false
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		name := f.Name
		if w.modules != nil && !f.IsExported() && !f.Anonymous && outside(w.modules, f.PkgPath) {
			hidden = true
			continue
		}
		if name != "_" && p.form != planOpaque && !w.ignored[p.name+"."+name] {
			p.fields = append(p.fields, planField{name, hash(0).text(name).sum(), i})
		}
	}
	if hidden && len(p.fields) == 0 && p.form == planFields {
		p.form = planText
	}
	if w.ignored != nil {
		sort.Slice(p.fields, func(i, j int) bool { return p.fields[i].name < p.fields[j].name })
	}
	if w.plans == nil {
		w.plans = make(map[reflect.Type]*plan)
	}
	w.plans[t] = p
	return p
}

func (w *walker) structure(v reflect.Value) {
	p := w.planOf(v.Type())
	switch p.form {
	case planTime:
		if sec, nsec, ok := instantOf(v); ok {
			w.instant(sec, nsec)
			return
		}
	case planLocation:
		if name := v.FieldByName("name"); name.Kind() == reflect.String {
			w.open(tagStruct, 1, p.name+"(")
			if !w.render {
				w.hash = w.hash.text(p.name)
			}
			w.string(name.String())
			w.put(")")
			return
		}
	case planText:
		w.structText(v, p)
		return
	}
	if !w.enter() {
		return
	}
	w.open(tagStruct, len(p.fields), p.name)
	if !w.render {
		w.hash = w.hash.text(p.name)
	}
	w.put("{")
	for i, f := range p.fields {
		if w.stop() {
			break
		}
		w.comma(i)
		if w.render {
			w.put(f.name)
			w.put(": ")
			w.reflect(v.Field(f.index))
			continue
		}
		outer, inner := w.part()
		w.reflect(v.Field(f.index))
		w.endPart(outer.word(f.hash), inner, f.hash)
	}
	w.put("}")
	w.leave()
}

// structText walks a struct by its text.
func (w *walker) structText(v reflect.Value, p *plan) {
	w.open(tagStruct, 0, p.name)
	if !w.render {
		w.hash = w.hash.text(p.name)
	}
	w.put("{")
	switch text := textOf(v); {
	case text == nil:
	case w.texts == nil:
		w.ownText(text)
	default:
		*w.texts = append(*w.texts, laterText{text, laneOf(w.result, p.hash)})
		w.put(textMark)
	}
	w.put("}")
}

// instantOf returns the instant of a time.Time. In an unexported field, its methods are not
// callable, and reflect cannot copy it to an exported value. The instant is then computed from the
// fields wall and ext, as Time.Equal does. Their layout has been the same since Go 1.9 but is not
// guaranteed. It is checked once against the methods. If the check fails, the value is walked like
// any other struct.
func instantOf(v reflect.Value) (sec, nsec int64, ok bool) {
	if v.CanInterface() {
		t := v.Interface().(time.Time)
		return t.Unix(), int64(t.Nanosecond()), true
	}
	if !timeLayoutHolds() {
		return 0, 0, false
	}
	return instantFromFields(v)
}

func instantFromFields(v reflect.Value) (sec, nsec int64, ok bool) {
	const (
		hasMonotonic   = 1 << 63
		nsecMask       = 1<<30 - 1
		nsecShift      = 30
		wallToInternal = (1884*365 + 1884/4 - 1884/100 + 1884/400) * 86400 // 1885 since year 1
		unixToInternal = (1969*365 + 1969/4 - 1969/100 + 1969/400) * 86400 // 1970 since year 1
	)
	wall, ext := v.FieldByName("wall"), v.FieldByName("ext")
	if wall.Kind() != reflect.Uint64 || ext.Kind() != reflect.Int64 {
		return 0, 0, false
	}
	sec = ext.Int()
	if wall.Uint()&hasMonotonic != 0 {
		sec = wallToInternal + int64(wall.Uint()<<1>>(nsecShift+1))
	}
	return sec - unixToInternal, int64(wall.Uint() & nsecMask), true
}

var timeLayoutHolds = sync.OnceValue(func() bool {
	for _, t := range []time.Time{
		{},
		time.Unix(0, 0),
		time.Unix(-1, 999_999_999),
		time.Date(2024, 2, 29, 23, 59, 59, 123_456_789, time.FixedZone("", 3600)),
		time.Now(), // the only source of a monotonic reading; its value does not matter
	} {
		sec, nsec, ok := instantFromFields(reflect.ValueOf(t))
		if !ok || sec != t.Unix() || nsec != int64(t.Nanosecond()) {
			return false
		}
	}
	return true
})

func floatFromBits(b uint64) float64 { return math.Float64frombits(b) }
