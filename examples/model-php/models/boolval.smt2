; PHP's manual, reference/var/functions/boolval.xml: "Returns the bool value of value."
; Of strings: the empty string and "0" are false (language.types.boolean).
(declare-variable value String)
(declare-variable ret Bool)
(assert (= ret (not (or (= value "") (= value "0")))))
(check-sat)
