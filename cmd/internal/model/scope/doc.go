// Package scope decides which paths of an original a model is about: SEDiff's scope, by agreement.
//
// Models are partial on purpose. A path of the original on which the model mostly does what the original does is one that the model's authors
// meant: it is in scope, and what differs there is a deviation worth reporting. A path on which the model never does is outside: its deviations
// are counted by kind, and never findings. Before a campaign, Find samples calls on both sides. The paper (section 3.2.2) compares formulas
// instead, which is too weak and too strong: package paths has that decision to measure beside this one.
//
// A path is the set of steps from block to block that a call takes: how often a loop goes round makes no path of its own. Scope belongs to paths
// and not to their steps, since an unmodeled path may consist of steps that modeled ones share.
//
// What is decided repeats: it depends on the functions, the seed, the number of samples and what a solver proves with its number of questions, unless
// the solver runs out of time for one.
package scope
