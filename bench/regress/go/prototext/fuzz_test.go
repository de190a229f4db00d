package prototext

import (
	"testing"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// FuzzUnmarshal reads a message in the text format, and writes it in the binary one.
func FuzzUnmarshal(f *testing.F) {
	f.Add(`name: "id" number: 1 label: LABEL_OPTIONAL type: TYPE_INT32`)
	f.Add(`number: -7 # a comment` + "\n" + `options { deprecated: true }`)
	f.Add(`default_value: 'a\'b' oneof_index: 0x10, json_name: "x" "y"`)
	f.Fuzz(func(t *testing.T, text string) {
		var m proto.Message = new(descriptorpb.FieldDescriptorProto)
		if prototext.Unmarshal([]byte(text), m) != nil {
			t.Skip()
		}
		if _, err := (proto.MarshalOptions{Deterministic: true}).Marshal(m); err != nil {
			t.Error(err)
		}
	})
}
