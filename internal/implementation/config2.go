package implementation

import "reflect"

// Config2 is the Config of version 2 of the library, which users' modules may still have. The test
// file that the tool adds converts it. It lacks later fields, which get their zero values.
type Config2 struct {
	Version          int
	Names            []string
	Functions        []reflect.Value
	Layers           []string
	Normalizers      []reflect.Value
	Preconditions    []reflect.Value
	Repairs          []reflect.Value
	Declined         error
	Accepts, Rejects [][]any
	Ignore           func(layer string, odd []int, args []any, outcomes []string, values [][]any, errs []error) (reason string, ignored bool)
	Target           any
}

// Config converts to this version's Config.
func (c Config2) Config() Config {
	return Config{
		Version: c.Version, Names: c.Names, Functions: c.Functions, Layers: c.Layers, Normalizers: c.Normalizers, Preconditions: c.Preconditions,
		Repairs: c.Repairs, Declined: c.Declined, Accepts: c.Accepts, Rejects: c.Rejects, Ignore: c.Ignore, Target: c.Target,
	}
}
