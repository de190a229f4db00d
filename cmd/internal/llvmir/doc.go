// Package llvmir reads functions that clang compiled to LLVM's text IR, runs them, lists their paths, and executes one path symbolically.
//
// It is where the originals of function models come from (SEDiff, sections 3.2.1 and 4): C library functions, each file compiled with
//
//	clang-19 -O0 -Xclang -disable-O0-optnone -gline-tables-only -S -emit-llvm
//
// It knows nothing of models, engines and campaigns. From text to answers:
//
//   - Parse reads a file, Link makes a Module of files. A function with something that is not supported stays in the module with the reason, and
//     Module.Refused gives it, for its callees too. Local variables become registers, as by mem2reg (promote.go); blocks stay as they are.
//   - Machine runs a function on concrete arguments. Memory consists of objects with bounds, byte by byte, and each byte knows whether it was
//     initialized. What C leaves undefined is an Outcome with a line, and not a result.
//   - Graph has edges, dominators and loops of a function. Module.Paths lists paths through a function and those it calls, within limits, and
//     says what the limits left out. A path's name is made of its blocks, so a trace of the Machine and a listed path have one name.
//   - Symbolic follows one path, and gives its condition and its outputs as terms (package smt). Bytes of buffers and numbers are terms, a pointer is an
//     object and an offset. Where an offset depends on the input, the value is a choice among the places of the object, if these are few. What the
//     flags of instructions promise, and bounds, are apart from the condition: Execution.Defined. A path that cannot be followed is Beyond, with the reason.
//
// The syntax is that of LLVM 19's language reference. Types of any width are read; a function that computes with more than 64 bits, with floating point, by
// assembly or through pointers to functions is refused.
package llvmir
