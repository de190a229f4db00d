// JSON.parse of Node. JSON.stringify would write -0 as 0, and infinity as null.
export default function parse (data) {
  return write(JSON.parse(data))
}

function write (v) {
  if (typeof v === 'number') return Object.is(v, -0) ? '-0' : String(v)
  if (Array.isArray(v)) return `[${v.map(write).join(',')}]`
  if (v === null || typeof v !== 'object') return JSON.stringify(v)
  return `{${Object.entries(v).map(([k, w]) => JSON.stringify(k) + ':' + write(w)).join(',')}}`
}
