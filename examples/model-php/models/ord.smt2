; PHP's manual, reference/strings/functions/ord.xml: "Interprets the binary value of the first byte of character as an unsigned integer between 0 and 255."
(declare-variable character String)
(declare-variable ret Int)
(declare-variable first String)
(assert (= ret (str.to_code first)))
(assert (= first (CharAt character 0)))
(check-sat)
