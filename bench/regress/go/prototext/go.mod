module regress/prototext

go 1.22

require google.golang.org/protobuf v1.29.0
