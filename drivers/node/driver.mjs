// A driver of parallax for Node: runs a function on each input, and answers with what it returned or threw.
//
//     node driver.mjs MODULE [EXPORT] [options]    MODULE is a file (./mine.mjs), a package or a global object such as JSON
//       --text           the function takes a string; inputs that are not UTF-8 are declined
//       --json           all it returns is compared as JSON: a string as a JSON string, not as it is
//       --reject NAMES   errors of these names or codes (SyntaxError,ERR_INVALID_URL,...) are rejections, and all others crashes
//       --cover TEXTS    tell what runs in scripts whose URL contains one of these texts; off: in none. Without it: in the module's
//                        package or, if it is in none, in all that are in none and in packages that it names itself
//
// Or in a file of your own: import { serve } from './driver.mjs'; serve(parse, { text: true })
// The function gets a Buffer, or a string with text, and may return a promise.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

// What is printed goes to standard error: of console and process.stdout, but not of fs.writeSync(1, ...).
Object.defineProperty(process, 'stdout', { get: () => process.stderr })

// Declined is what a function throws for an input that is not its business.
export class Declined extends Error {}

const sorted = (_, v) => typeof v === 'bigint' ? String(v) : v && Object.getPrototypeOf(v) === Object.prototype
  ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1))) : v

// What values are compared by: bytes and strings as they are, anything else as JSON with sorted keys.
function toBytes(value, json) {
  if (!json && (typeof value === 'string' || value instanceof Uint8Array)) return Buffer.from(value)
  return Buffer.from(JSON.stringify(value, sorted) ?? String(value))
}

// The program gave up, and did not refuse: the stack or memory overflowed, an assertion failed, WebAssembly trapped.
const gaveUp = e => e?.code === 'ERR_ASSERTION' || e instanceof WebAssembly.RuntimeError ||
  e instanceof RangeError && /call stack|Invalid (string|array|typed array) length|allocation failed/.test(e.message)

// judge returns verdict and text.
async function judge(run, data, { json, reject }) {
  try {
    return ['A', toBytes(await run(data), json)]
  } catch (e) {
    const said = e instanceof Error ? `${e.name}: ${e.message}` : `thrown: ${String(e)}`
    if (e instanceof Declined) return ['D', Buffer.from(said)]
    if (reject ? reject.includes(e?.name) || reject.includes(e?.code) : !gaveUp(e)) return ['R', Buffer.from(said)]
    return ['C', Buffer.from(said.replaceAll('\n', ' ') + '\n' + (e?.stack ?? ''))]
  }
}

// retry goes on where a pipe that does not block has nothing to read or no room.
function retry(transfer, buffer) {
  for (let at = 0; at < buffer.length;) {
    try {
      const n = transfer(buffer, at, buffer.length - at)
      if (n === 0) return false // standard input has ended
      at += n
    } catch (e) { if (e.code !== 'EAGAIN') throw e }
  }
  return true
}
const read = buffer => retry((...place) => fs.readSync(0, ...place), buffer)
const write = buffer => retry((...place) => fs.writeSync(1, ...place), buffer)

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
function decode(data) {
  try { return utf8.decode(data) } catch { throw new Declined('the input is not UTF-8') }
}

// serve answers requests until they end. coverage is what observe of cover.mjs returned.
export async function serve(parse, options = {}) {
  const { text, coverage } = options
  const run = text ? data => parse(decode(data)) : parse
  write(Buffer.concat([Buffer.from('parallax-driver 1 numbers'), coverage?.greeting() ?? Buffer.alloc(0), Buffer.from('\n')]))
  for (let number = 0, length = Buffer.alloc(4); read(length); number = number + 1 >>> 0) {
    const data = Buffer.alloc(length.readUInt32LE())
    if (!read(data)) break
    coverage?.begin()
    const [verdict, value] = await judge(run, data, options), counts = coverage?.take() ?? Buffer.alloc(0)
    const header = Buffer.alloc(13, verdict)
    header.writeUInt32LE(number, header.writeUInt32LE(9 + value.length + counts.length))
    header.writeUInt32LE(value.length, 9)
    write(Buffer.concat([header, value, counts]))
  }
  process.exit(0)
}

async function main() {
  const string = { type: 'string' }, flag = { type: 'boolean' }
  const { values: o, positionals: [module, names] } = parseArgs({
    allowPositionals: true, options: { text: flag, json: flag, reject: string, cover: string } })
  if (!module) throw new Error('usage: node driver.mjs MODULE [EXPORT] [--text] [--json] [--reject NAMES] [--cover TEXTS]')
  const file = () => pathToFileURL(/^\.?\.?\//.test(module) ? path.resolve(module) : createRequire(path.resolve('x')).resolve(module))
  const url = globalThis[module] || module.startsWith('node:') ? module : file().href
  const coverage = url.startsWith('file:') && await import('./cover.mjs').then(c => c.observe(o.cover, url), e => { if (o.cover) throw e })
  let found = globalThis[module] ?? await import(url), owner
  for (const name of names ? names.split('.') : ['default']) [owner, found] = [found, found[name] ?? found.default?.[name]]
  if (typeof found !== 'function') throw new Error(`${module} has no function ${names ?? 'default'}`)
  await serve(data => found.call(owner, data), { ...o, reject: o.reject?.split(','), coverage: coverage || undefined })
}
if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await main()
