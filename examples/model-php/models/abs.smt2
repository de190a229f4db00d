; PHP's manual, reference/math/functions/abs.xml: "Returns the absolute value of num."
; As Figure 2 of the SEDiff paper has it.
(declare-variable num Int)
(declare-variable ret Int)
(declare-variable var1 Int)
(declare-variable var2 Int)
(assert (= ret var1))
(assert (= var2 (* (- 1) num)))
(assert (= var1 (ite (> num 0) num var2)))
(check-sat)
