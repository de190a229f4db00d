; PHP's manual, reference/math/functions/max.xml: "If at least two parameters are provided, max returns the biggest of these values."
(declare-variable value Int)
(declare-variable other Int)
(declare-variable ret Int)
(assert (or (and (>= value other) (= ret value)) (and (not (>= value other)) (= ret other))))
(check-sat)
