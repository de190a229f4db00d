; PHP's manual, reference/strings/functions/strlen.xml: "Returns the length of the given string."
(declare-variable string String)
(declare-variable ret Int)
(declare-variable v1 Int)
(assert (= ret v1))
(assert (= v1 (Length string)))
(check-sat)
