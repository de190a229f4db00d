// Reads a number as Node does: in several notations.
export default function parse (text) {
  if (text.length > 4) throw new RangeError('length')
  const n = Number(text)
  if (text === '' || !Number.isInteger(n)) throw new SyntaxError('no number')
  return String(n)
}
