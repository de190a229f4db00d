// What the tests run by the driver for Node.
import assert from 'node:assert'

console.log('stray print while loading')

export default function parse(data) {
  console.log('stray print')
  process.stdout.write('stray write\n')
  switch (data.toString()) {
    case 'crash': assert(false, 'never here')
    case 'deep': return parse(data)
    case 'exit': process.exit(3)
    case 'promise': return Promise.resolve('kept')
    case 'broken promise': return Promise.reject(new SyntaxError('broken'))
    case 'bug': return undefined.missing
  }
  if (data[0] === 0xff) return data
  return JSON.parse(data)
}

export const inner = {
  loops(text) {
    let total = 0
    for (const c of text) {
      if (c === 'x') total += 1
      else total += 2
    }
    return String(total)
  },
}
