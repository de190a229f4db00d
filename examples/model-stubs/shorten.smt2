; What a verifier's authors wrote down of shorten. The constants are the parameter and ret.
(set-logic QF_BV)
(declare-const n (_ BitVec 32))
(declare-const ret (_ BitVec 32))
(assert (= ret (ite (bvugt n #x00000010) #x0000000f n)))
