// Package smt implements the language of SMT-LIB 2.6. Terms are hash-consed in a Context.
// ReadScript and ReadTerm parse scripts, including the dialect of Z3-str. Script and Term print
// themselves. Compile makes a program that computes the values of terms from the values of their
// constants. The package is independent of solvers (model/smt/solver) and of the meaning of terms
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
