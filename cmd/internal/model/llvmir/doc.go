// Package llvmir parses functions in LLVM's text IR from clang, runs them, lists their paths, and
// executes single paths symbolically.
//
// It provides the originals of function models (SEDiff, sections 3.2.1 and 4): C library functions,
// each file compiled with
//
//	clang-19 -O0 -Xclang -disable-O0-optnone -gline-tables-only -S -emit-llvm
//
// It is independent of models, engines and campaigns. Its parts, in the order of their use:
//
//   - Parse parses a file, and Link makes a Module from files. A function with an unsupported
//     construct stays in the module. Module.Refused returns the reason, also for its callers. Local
//     variables become registers, as by mem2reg (promote.go); blocks do not change.
//   - Machine runs a function on concrete arguments. Memory consists of objects with bounds. Each
//     byte records whether it was initialized. Undefined behavior of C is an Outcome with a line,
//     and not a result.
//   - Graph has the edges, dominators and loops of a function. Module.Paths lists paths through a
//     function and its callees, within limits, and counts the excluded paths. A path's name is a
//     hash of its blocks, so that a trace of the Machine and a listed path have one name.
//   - Symbolic follows one path, and returns its condition and its outputs as terms (package smt).
//     Bytes of buffers and numbers are terms; a pointer is an object and an offset. If an offset
//     depends on the input, the value is a choice among the places of the object, if these are few.
//     Bounds and the promises of instruction flags are separate from the condition:
//     Execution.Defined. A path that cannot be followed is Beyond, with the reason.
//
// The syntax is that of LLVM 19's language reference. Types of any width are parsed. A function is
// refused if it computes with more than 64 bits, with floating point, by assembly or through
// pointers to functions.
package llvmir
