// Package puzzles holds end-to-end targets for parallax: small functions with a planted semantic
// bug, one obstacle a folder. What separates the functions of a puzzle is marked `planted` where it
// stands. The command's tests run every puzzle with a budget in inputs, at least five times what it
// took when the puzzle was written; the engine is never tuned to them.
//
// The folder several holds puzzles with several causes each, and variants of them by which an
// oracle tells the causes apart. The folder faults holds programs that do harm to the process they
// run in.
package puzzles
