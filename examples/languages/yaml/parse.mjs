// Package yaml of npm, with its defaults: YAML 1.2. Maps keep keys that are no text.
import { parse as read } from 'yaml'

export default function parse (text) {
  if (/[^\n -~]/.test(text)) throw new Error('not printable ASCII and line feeds')
  return write(read(text, { mapAsMap: true, logLevel: 'error' }), new Set())
}

function write (v, above) {
  switch (typeof v) {
    case 'bigint': return String(v)
    case 'string': return JSON.stringify(v)
    case 'number':
      if (Number.isNaN(v)) return '".nan"'
      if (!Number.isFinite(v)) return v > 0 ? '".inf"' : '"-.inf"'
      return Object.is(v, -0) ? '-0' : String(v)
  }
  if (v === null || typeof v !== 'object') return String(v)
  if (v instanceof Uint8Array) return JSON.stringify(Buffer.from(v).toString())
  if (above.has(v)) throw new RangeError('a value that holds itself')
  above.add(v)
  try {
    if (Array.isArray(v)) return `[${v.map(w => write(w, above)).join(',')}]`
    if (v instanceof Set) v = new Map([...v].map(k => [k, null]))
    const entries = v instanceof Map ? [...v] : Object.entries(v)
    return `{${entries.map(([k, w]) => key(write(k, above)) + ':' + write(w, above)).join(',')}}`
  } finally { above.delete(v) }
}

const key = text => text.startsWith('"') ? text : JSON.stringify('?' + text)
