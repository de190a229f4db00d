# What is kept of the summary of one of CrossHair's models.
{
  function: (.target | sub("^crosshair-[^-]*-"; "")), inputs, seconds: (.elapsed_seconds | round), cells: .scope.paths, in_scope: .scope.in_scope, outside: .scope.outside,
  findings: [.findings.buckets[] | {kind, call: .quoted, python: .results.original, model: .results.crosshair}]
}
