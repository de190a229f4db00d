; PHP's manual, reference/math/functions/min.xml: "If at least two parameters are provided, min returns the smallest of these values."
; Of strings.
(declare-variable value String)
(declare-variable other String)
(declare-variable ret String)
(assert (= ret (ite (str.<= value other) value other)))
(check-sat)
