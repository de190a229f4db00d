; PHP's manual, reference/strings/functions/substr.xml: "Returns the portion of string specified by the offset and length parameters."
; And of the parameters: offset from the start or, if negative, from the end; length at most or, if negative, so many are omitted from the end.
(declare-variable string String)
(declare-variable offset Int)
(declare-variable length Int)
(declare-variable ret String)
(declare-variable start Int)
(declare-variable take Int)
(assert (= ret (Substring string start take)))
(assert (= take (ite (>= length 0) length (+ (- (Length string) start) length))))
(assert (= start (ite (>= offset 0) offset (+ (Length string) offset))))
(check-sat)
