// Package record stores a function's model for the processes of a campaign. A record has the answer
// of an engine's adapter, or code if the model or its original is a user's C function.
package record

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/csource"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/original"
	"parallax/internal/atomicfile"
)

// Record is a stored model. If a side is code, the answer has only the function, its arguments and
// its result, and no paths.
type Record struct {
	extract.Answer
	Code *Code `json:"code,omitempty"`
}

// Code has the sides that are C functions.
type Code struct {
	Model    *csource.Part `json:"model,omitempty"`    // nil if the answer has the model
	Original *csource.Part `json:"original,omitempty"` // nil for the C library's function
}

// Identity returns a text that differs between records with different sides.
func (r *Record) Identity() (string, error) {
	said := *r
	said.ID, said.Seconds, said.CPU = 0, 0, 0
	data, err := json.Marshal(&said)
	return fmt.Sprintf("%x", sha256.Sum256(data)), err
}

// New returns the record of a function with the user's signature.
func New(s *call.Signature, code *Code) *Record {
	r := &Record{Code: code}
	r.Function, r.Prototype, r.Status, r.Arguments, r.Result = s.Function, s.Prototype, extract.OK, s.Arguments, &s.Result
	return r
}

// Original returns the original of the function.
func (r *Record) Original() (*original.Original, error) {
	s := call.SignatureOf(&r.Answer)
	if r.Code != nil && r.Code.Original != nil {
		return r.Code.Original.Original(s)
	}
	return original.Musl(s)
}

// Evaluator returns a model in code, or nil if the answer has the model.
func (r *Record) Evaluator() (*csource.Model, error) {
	if r.Code == nil || r.Code.Model == nil {
		return nil, nil
	}
	return r.Code.Model.Evaluator(call.SignatureOf(&r.Answer))
}

// Read reads a record.
func Read(path string) (*Record, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &Record{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%s is no extraction: %w", path, err)
	}
	if r.Function == "" || r.Result == nil {
		return nil, fmt.Errorf("%s is no extraction: it names no function, or no result of it", path)
	}
	if c := r.Code; c != nil && (c.Model != nil && c.Model.Sources == nil || c.Original != nil && c.Original.Sources == nil) {
		return nil, fmt.Errorf("%s is no extraction: its code has no files", path)
	}
	return r, nil
}

// Write writes a record, without the time that the extraction took.
func (r *Record) Write(path string) error {
	kept := *r
	kept.ID, kept.Seconds, kept.CPU = 0, 0, 0
	data, err := json.MarshalIndent(&kept, "", "\t")
	if err != nil {
		return err
	}
	return atomicfile.Write(atomicfile.OS, path, append(data, '\n'))
}
