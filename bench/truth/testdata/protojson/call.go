package call

import (
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/sourcecontextpb"
)

func Call(in []byte) (string, error) {
	var m sourcecontextpb.SourceContext
	err := protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(in, &m)
	return m.GetFileName(), err
}
