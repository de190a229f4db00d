// Package smt implements the language of SMT-LIB 2.6, in which symbolic-execution engines state the
// models of functions. Its types, in the order of their use:
//
//   - A Context makes each Term once, so that equal terms are one pointer. A Term has an Op, a Sort
//     and arguments. A term without arguments is a constant or a literal.
//   - ReadScript reads a Script, also in the dialect of Z3-str, and ReadTerm one term. Scripts and
//     terms print themselves.
//   - Compile makes a Program of terms. A Machine runs it: it computes the Values of the terms from
//     the values of their constants, once for each input.
//
// The package is independent of solvers (model/smt/solver) and of the meaning of terms
// (model/smt/dataflow, and the models of functions).
//
// Reading, writing, substitution and compilation use no recursion. Their time is proportional to
// the number of different terms. A let-bound term is one node however often it is used, and a text
// is proportional to its number of nodes.
//
// The supported theories are core, integers, bit vectors, arrays, and strings with regular
// expressions. Quantifiers, reals, floating-point numbers, datatypes and sequences are
// ErrUnsupported. Uninterpreted functions can be read and written, but not computed.
package smt
