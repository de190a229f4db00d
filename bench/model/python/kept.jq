# What is kept of a summary of parallax model for CrossHair: a line for each model.
.targets[] | {
  function: (.target | sub("^crosshair-[^-]*-"; "")), inputs, seconds: (.elapsed_seconds | round), cells: .scope.paths, in_scope: .scope.in_scope, outside: .scope.outside,
  findings: [.findings.buckets[] | {kind, call: .quoted, python: .results.original, model: .results.crosshair}]
}
