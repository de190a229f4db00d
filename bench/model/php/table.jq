# The table of results.jsonl, as Markdown.
def kinds: to_entries | map("\(.value) \(.key)") | join(", ");
(["function", "cells", "in scope", "deviations in scope", "calls out of scope that deviate"], ["---", "---", "---", "---", "---"],
 (.[] | [.function, .cells, .in_scope, (.findings | length), (.outside | kinds)]),
 ["all \(length)", (map(.cells) | add), (map(.in_scope) | add), (map(.findings | length) | add), ""])
| map(tostring) | "| " + join(" | ") + " |"
