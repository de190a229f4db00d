package xml

import (
	"encoding/xml"
	"fmt"
	"reflect"
	"strings"
)

// Rest takes elements and attributes for which a type has no field. Strict finds them in a field of
// type Rest.
type Rest struct {
	Elements   []Any      `xml:",any"`
	Attributes []xml.Attr `xml:",any,attr"`
}

// Any is an element of any name.
type Any struct{ XMLName xml.Name }

// Strict reads a document into a type, and refuses what its fields of the type Rest hold.
func Strict(source string, into any) error {
	d := xml.NewDecoder(strings.NewReader(source))
	if err := d.Decode(into); err != nil {
		return err
	}
	return unknown(reflect.ValueOf(into))
}

func unknown(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return unknown(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := unknown(v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		if r, ok := v.Interface().(Rest); ok {
			if len(r.Elements) > 0 {
				return fmt.Errorf("unknown element %s", r.Elements[0].XMLName.Local)
			}
			if len(r.Attributes) > 0 {
				return fmt.Errorf("unknown attribute %s", r.Attributes[0].Name.Local)
			}
			return nil
		}
		for i := range v.NumField() {
			if !v.Type().Field(i).IsExported() {
				continue
			}
			if err := unknown(v.Field(i)); err != nil {
				return err
			}
		}
	}
	return nil
}
