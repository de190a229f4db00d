// One side of a model in JavaScript, as a driver: node call.mjs SPEC original|model. An input is the JSON text of the arguments.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { Declined, serve } from './driver.mjs'

const [, , file, side] = process.argv
const spec = JSON.parse(fs.readFileSync(file, 'utf8'))

// special are values that JSON has not, as an object with the key $.
const special = { undefined, NaN, Infinity, '-Infinity': -Infinity }
const revive = (_, v) => typeof v?.$bytes === 'string' ? new Uint8Array(Buffer.from(v.$bytes, 'hex')) : v

// restore puts special values in. A reviver of JSON cannot: what it makes undefined is left out.
function restore(v) {
  if (typeof v !== 'object' || v === null || v instanceof Uint8Array) return v
  if (typeof v.$ === 'string') return special[v.$]
  for (const key of Object.keys(v)) v[key] = restore(v[key])
  return v
}

function read(text) {
  let args
  try { args = JSON.parse(text, revive) } catch { throw new Declined('the input is not JSON') }
  if (!Array.isArray(args) || args.length !== spec.count) throw new Declined(`the input is not a list of ${spec.count} arguments`)
  return restore(args)
}

const options = { depth: 16, maxArrayLength: null, maxStringLength: null, breakLength: Infinity, compact: true }
const show = v => inspect(v, options)

// unordered shows a list, a set or a map in an order of its own, so that those with the same elements are one text.
function unordered(v) {
  if (!Array.isArray(v) && !(v instanceof Set) && !(v instanceof Map) || (v.length ?? v.size) < 2) return show(v)
  return `${v.constructor?.name} in any order: ${Array.from(v, show).sort().join(', ')}`
}

// url is where a module is: a file, or a package as the configuration's folder has it.
const url = module => pathToFileURL(/^\.{0,2}\//.test(module) ? path.resolve(spec.dir, module) : createRequire(path.join(spec.dir, 'x')).resolve(module)).href

// functionsOf are the names of functions in what is looked for one.
function functionsOf(owner) {
  const has = (v, name) => { try { return typeof v[name] === 'function' } catch { return false } }
  const own = v => v === null || v === undefined ? [] : Object.getOwnPropertyNames(v).filter(name => name !== 'constructor' && has(v, name))
  return [...new Set([...own(owner), ...own(owner?.default)])]
}

const shownNames = 12

// find is a function and what it is a method of: MODULE#EXPORT, or a global object's name. Without it, the driver ends with a line that package node reads.
async function find({ module, names }, of) {
  let owner, found = globalThis
  if (module) found = await import(url(module))
  for (const name of names.split('.')) [owner, found] = [found, found?.[name] ?? found?.default?.[name]]
  if (typeof found === 'function') return { owner, found }
  const there = module ? functionsOf(owner) : []
  const list = there.slice(0, shownNames).join(', ') + (there.length > shownNames ? ` and ${there.length - shownNames} more` : '')
  console.error(`no such function: ${of}: ${module ? module + ' has' : 'there is'} no function ${names}${list && ` (it has ${list})`}`)
  process.exit(1)
}

// tooLong says that a length is asked for which no value has. A call is refused by that as by other errors, where a driver takes it for a crash.
const tooLong = e => e instanceof RangeError && /^Invalid (string|array|typed array) length/.test(e.message)

let coverage
if (spec[side].module) coverage = (await import('./cover.mjs')).observe(undefined, url(spec[side].module))
const { owner, found } = await find(spec[side], side)
const scope = spec.scope && await find(spec.scope, 'scope')

// meant asks the declared scope. One that throws is wrong itself: a crash of the model, where both sides would refuse the call otherwise.
async function meant(args) {
  try {
    return await scope.found.apply(scope.owner, args)
  } catch (e) {
    if (side === 'original') throw new Declined('the declared scope throws an error')
    const said = e instanceof Error ? `${e.name}: ${e.message}` : String(e)
    throw Object.assign(new Error(`the scope ${spec.scope.names} throws ${said}`), { code: 'ERR_ASSERTION', stack: e?.stack })
  }
}

async function run(text) {
  if (scope && !await meant(read(text))) throw new Declined('outside of the declared scope')
  const args = read(text), before = show(args)
  const given = spec.this ? args.slice(1) : args
  try {
    const result = (spec.set ? unordered : show)(await found.apply(spec.this ? args[0] : owner, given))
    const after = show(args)
    return after === before ? result : `${result}; the arguments are ${after} then`
  } catch (e) {
    if (side === 'model' && spec.unsupported?.some(name => name === e?.name || name === e?.code)) throw new Declined(`not implemented: ${e.message}`)
    throw tooLong(e) ? Object.assign(new Error(e.message), { name: e.name }) : e
  }
}

await serve(run, { text: true, coverage })
