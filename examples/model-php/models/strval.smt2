; PHP's manual, reference/var/functions/strval.xml: "Get the string value of a variable."
; Of integers.
(declare-variable value Int)
(declare-variable ret String)
(assert (=> (>= value 0) (= ret (int.to.str value))))
(assert (=> (< value 0) (= ret (Concat "-" (int.to.str (- value))))))
(check-sat)
