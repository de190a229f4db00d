// Package puzzles holds end-to-end targets for parallax: small functions with a planted semantic
// bug, one obstacle a folder. The line that distinguishes the functions of a puzzle is marked
// `planted`. The command's tests run every puzzle with a budget in inputs. It is at least five
// times the need when the puzzle was written. The engine is never tuned to them.
//
// The folder several holds puzzles with several causes each, and variants of them by which an
// oracle distinguishes the causes. The folder faults holds programs that harm their process.
package puzzles
