# What is kept of a summary of parallax model: a line for each model.
.targets[] | {
  function: (.target | sub("^.*?-"; "") | sub("^.*-"; "")), inputs, cells: .scope.paths, in_scope: .scope.in_scope, outside: .scope.outside,
  findings: [.findings.buckets[] | {call: .quoted, php: .results.original, model: .results.model}]
}
