#!/usr/bin/env node
'use strict'
// Much of what JavaScript has, to see that counters change nothing.

const strict = function () { 'use strict'; return this === undefined }
function loose(a, b = a && 2, { c = b || 3, ...rest } = {}) { return [a, b, c, Object.keys(rest), arguments.length] }
const arrow = x => x ? x : -x, object = x => ({ x }), nested = a => b => a && b
const hoisted = early()
function early() { return 'early' }

class Base {
  static count = 0; static { if (Base.count === 0) Base.count = 1 }
  #hidden = 1; field = this.#hidden && (() => this.#hidden)()
  get twice() { if (this.field) return this.field * 2; else return 0 }
  has(o) { return #hidden in o && true }
  *[Symbol.iterator]() { for (let i = 0; i < 3; i++) yield i && (yield* [i]) }
  async later(n) { for await (const x of [1, Promise.resolve(n)]) if (x > 1) return x
    return 0 }
}
class Derived extends Base {
  constructor(n) { super(); this.n = n ?? 'none' }
  static make = n => new Derived(n)
}

function flow(text) {
  const out = []
  outer: for (const c of text) {
    if (c === 'a') out.push(1)
    else if (c === 'b') if (out.length) out.push(2); else out.push('first')
    else out.push(c)
    switch (c) {
      case 'a': case 'b':
      case 'c': { out.push('abc') }
      case 'd': out.push('d'); break
      case 'e': continue outer
      case 'f': out.push('f')
    }
    switch (c) { case 'g': break outer; default: out.push('not g') }
    let n = 0
    do n++; while (n < 3)
    while (n) n--
    for (;;) break
    for (const k in { x: 1 }) if (k) out.push(k)
    try { if (c === 'h') throw new Error(c) } catch { out.push('caught') } finally { out.push(n) }
    if (c === 'i') {
    }
    else
      out.push('no i')
    if (c) ;
  }
  let late; late ||= text.length && text.length > 3 ? 'long' : 'short'
  out.push(late, /[/"'{]/.test(text) || `${text ? `in ${text}` : ''}`, text?.length ?? -1, (0, out.length), typeof (text && nothing))
  return out
}
const nothing = undefined

async function run(text) {
  let o = Derived.make(), p = new Derived(4), name = (text || function () {}).name
  const told = [strict(), loose(1), loose(0, 5, { z: 1 }), arrow(3), arrow(0), object(1), nested(1)(2), hoisted, early.name, o.n, p.n,
    o.twice, o.has(p), [...o], await p.later(2), await o.later(0), flow(text), Base.count, name, eval('text && text.length'),
    ((a, b) => (a, b))(1, 2), new.target === undefined, [1, , 2].length, { text, [text]: text || 1, get x() { return 1 } }]
  label: { if (text) break label; told.push('never') }
  return JSON.stringify(told)
}
module.exports = run
