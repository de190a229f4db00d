package policy

import (
	"reflect"
	"testing"

	"parallax/internal/wire"
)

// fill sets every field of a struct to a value that is not zero.
func fill(t *testing.T, v reflect.Value) {
	for i := range v.NumField() {
		switch f := v.Field(i); f.Interface().(type) {
		case []string:
			f.Set(reflect.ValueOf([]string{"a", "b"}))
		case [][]byte:
			f.Set(reflect.ValueOf([][]byte{{1}, {2, 3}}))
		case string:
			f.SetString("text")
		case bool:
			f.SetBool(true)
		case int:
			f.SetInt(int64(i) + 1)
		default:
			switch f.Kind() {
			case reflect.Struct:
				fill(t, f)
			case reflect.Uint8, reflect.Uint32, reflect.Uint64:
				f.SetUint(uint64(i) + 1)
			case reflect.Slice:
				f.Set(reflect.MakeSlice(f.Type(), 2, 2))
				for k := range f.Len() {
					if e := f.Index(k); e.Kind() == reflect.Struct {
						fill(t, e)
					} else {
						e.SetUint(uint64(k) + 1)
					}
				}
			default:
				t.Fatalf("a field of type %v", f.Type())
			}
		}
	}
}

// TestSetupArrives checks that every option is encoded, also future ones.
func TestSetupArrives(t *testing.T) {
	var in, out Setup
	fill(t, reflect.ValueOf(&in).Elem())
	if err := out.Read(wire.NewReader(in.Append(nil))); err != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("sent %+v, read %+v, %v", in, out, err)
	}
}

// TestStored checks that fields with a tag are stored, and that zero values are not.
func TestStored(t *testing.T) {
	p := Policy{Reference: "b", PoolSize: 3, Schedule: "fast"}
	if got, want := p.Stored(), (map[string]string{"reference": "b", "pool_size": "3"}); !reflect.DeepEqual(got, want) {
		t.Errorf("stored %v, want %v", got, want)
	}
	if got := new(Policy).Stored(); len(got) > 0 {
		t.Errorf("of nothing %v is stored", got)
	}
}

// FuzzSetup checks that reading never panics, and that a readable message can be written again.
func FuzzSetup(f *testing.F) {
	var in Setup
	fill(&testing.T{}, reflect.ValueOf(&in).Elem())
	f.Add(in.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		var s, again Setup
		if s.Read(wire.NewReader(b)) != nil {
			return
		}
		if err := again.Read(wire.NewReader(s.Append(nil))); err != nil || !reflect.DeepEqual(s, again) {
			t.Errorf("read %+v, then %+v, %v", s, again, err)
		}
	})
}
