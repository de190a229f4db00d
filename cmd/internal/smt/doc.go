// Package smt has the language of SMT-LIB 2.6: terms, which are hash-consed in a Context; ReadScript and ReadTerm, which read scripts, the dialect
// of Z3-str included; Script and Term as text again; and Compile, which makes a program of terms that computes their values from values of their
// constants. It knows nothing of solvers (smt/solver) and of what the terms are about (smt/dataflow, and what models functions).
//
// Reading, writing, substituting and compiling go through terms without recursion, in time by the number of different terms. What a let binds is
// one node however often it is used, and a text is as long as its term has nodes.
//
// Theories: core, integers, bit vectors, arrays, and strings with regular expressions. Quantifiers, reals, floating-point numbers, datatypes and
// sequences are ErrUnsupported. Uninterpreted functions are read and written, and cannot be computed.
package smt
