; PHP's manual, reference/strings/functions/strpos.xml: "Find the numeric position of the first occurrence of needle in the haystack string."
; Of offset: "search will start this number of characters counted from the beginning of the string. If the offset is negative, ... from the end of the string." -1 stands for false.
(declare-variable haystack String)
(declare-variable needle String)
(declare-variable offset Int)
(declare-variable ret Int)
(declare-variable start Int)
(declare-variable v1 Int)
(assert (= ret v1))
(assert (= v1 (Indexof2 haystack needle start)))
(assert (= start (ite (>= offset 0) offset (+ (Length haystack) offset))))
(check-sat)
