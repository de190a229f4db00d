# The tables of results.jsonl, as Markdown: first by type, then the findings.
def row: map(tostring) | "| " + join(" | ") + " |";
def sums: [(map(.cells) | add), (map(.in_scope) | add), (map(select(.in_scope > 0)) | length), (map(.inputs) | add),
  (map(select(.findings | length > 0)) | length), (map(.findings | length) | add), (map(.outside | add // 0) | add), ((map(.seconds) | add) / 60 | round)];
def code: gsub("`"; "'") | gsub("\\|"; "\\|") | "`\(.)`";
((["type", "models", "cells", "in scope", "models with scope", "calls", "models that deviate", "findings", "calls out of scope that deviate", "minutes"], ([range(10)] | map("---")),
  (group_by(.function | split(".")[0])[] | [(.[0].function | split(".")[0]), length] + sums),
  (["all", length] + sums)) | row),
"",
((["call", "CPython", "CrossHair"], ["---", "---", "---"], (.[] | .findings[] | [(.call | code), (.python | tostring | code), (.model | tostring | code)])) | row)
