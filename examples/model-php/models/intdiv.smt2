; PHP's manual, reference/math/functions/intdiv.xml: "Returns the integer quotient of the division of num1 by num2."
(declare-variable num1 Int)
(declare-variable num2 Int)
(declare-variable ret Int)
(assert (= ret (div num1 num2)))
(assert (not (= num2 0)))
(check-sat)
