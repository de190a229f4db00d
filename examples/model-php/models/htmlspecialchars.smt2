; PHP's manual, reference/strings/functions/htmlspecialchars.xml: "Certain characters have special significance in HTML, and should be represented by HTML entities if they are to preserve their meanings. This function returns a string with these conversions made."
; The table there: & is &amp; and the double quote &quot; and ' is &#039; and < is &lt; and > is &gt;
(declare-variable string String)
(declare-variable ret String)
(declare-variable v1 String)
(declare-variable v2 String)
(declare-variable v3 String)
(declare-variable v4 String)
(assert (= ret (Replace v4 ">" "&gt;")))
(assert (= v1 (Replace string "&" "&amp;")))
(assert (= v4 (Replace v3 "<" "&lt;")))
(assert (= v2 (Replace v1 "\"" "&quot;")))
(assert (= v3 (Replace v2 "'" "&#039;")))
(check-sat)
