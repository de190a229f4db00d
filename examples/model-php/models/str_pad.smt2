; PHP's manual, reference/strings/functions/str-pad.xml: "If the value of length is negative, less than, or equal to the length of the input string, no padding takes place, and string will be returned."
; And: "padded with characters from pad_string up to the limit", for as many characters as pad_string has.
(declare-variable string String)
(declare-variable length Int)
(declare-variable pad_string String)
(declare-variable ret String)
(declare-variable need Int)
(assert (= need (- length (Length string))))
(assert (or
  (and (<= need 0) (= ret string))
  (and (> need 0) (<= need (Length pad_string)) (= ret (Concat string (Substring pad_string 0 need))))))
(check-sat)
