// What a query string is parsed to, with what objects inherit: prototypes are allowed, as in the tests of the fix, since without
// that option nothing of the difference can be seen.
export const parser = qs => text => shown(qs.parse(text, { allowPrototypes: true }))

const shown = v => {
  if (v === null || typeof v !== 'object') return v
  if (Array.isArray(v)) return v.map(shown)
  const all = {}
  for (const k in v) all[k] = shown(v[k])
  return all
}
