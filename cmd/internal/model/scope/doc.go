// Package scope decides which paths of an original a model covers: SEDiff's scope, based on
// agreement.
//
// Models are partial on purpose. If model and original mostly agree on a path, the model's authors
// meant to cover it. The path is in scope, and deviations on it are worth reporting. If they never
// agree, the path is outside. Its deviations are counted by kind and are never findings. Find
// samples calls on both sides before a campaign. The paper (section 3.2.2) compares formulas
// instead, which is both too weak and too strong. Package paths implements that decision for
// measurements.
//
// A path is the set of steps between blocks that a call takes, so the number of iterations of a
// loop does not matter. Scope belongs to paths and not to steps, since an unmodeled path may
// consist of steps of modeled ones.
//
// Decisions repeat. They depend on the functions, the seed, the number of samples, and the proofs
// of a solver with its number of questions. The exception is a solver that runs out of time for a
// question.
package scope
