// Which blocks of chosen scripts an input executes, for driver.mjs --cover. It needs to be beside that file, and is opened
// before the scripts are loaded: V8 counts the blocks only of what it compiles afterwards.
import { Session } from 'node:inspector'

export const FEATURES = 1 << 16 // numbers below it; a hash that two blocks share does little harm

// open counts in scripts whose URL contains one of the texts.
export function open(texts) {
  const session = new Session()
  session.connect()
  // The methods of Profiler answer before post returns.
  const post = (method, params) => {
    let answer
    session.post(method, params, (error, result) => {
      if (error) throw new Error(`${method}: ${error.message}`)
      answer = result
    })
    return answer
  }
  post('Profiler.enable')
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true, allowTriggeredUpdates: false })

  // A block's number is a hash (FNV-1a) of its place, and so the same in every process.
  const numbers = new Map()
  const number = place => {
    let hash = numbers.get(place)
    if (hash === undefined) {
      hash = 0x811c9dc5
      for (const c of Buffer.from(place)) hash = Math.imul(hash ^ c, 0x01000193)
      numbers.set(place, hash = ((hash >>> 16) ^ hash) & (FEATURES - 1))
    }
    return hash
  }
  const take = () => post('Profiler.takePreciseCoverage').result.filter(s => texts.some(t => s.url.includes(t)))
  return {
    // features are the numbers of what ran, each as often as it ran, up to 16 times. V8 tells of a block only if it ran more or
    // less often than the block around it. That it did not run is therefore a feature of its own.
    features() {
      const found = []
      for (const { url, functions } of take()) {
        const script = url.split('/').slice(-2).join('/')
        for (const { ranges } of functions) {
          if (ranges[0].count === 0) continue
          for (const { startOffset, endOffset, count } of ranges) {
            const n = number(`${script}:${startOffset}-${endOffset}${count === 0 ? ' not' : ''}`)
            for (let i = Math.min(Math.max(count, 1), 16); i > 0; i--) found.push(n)
          }
        }
      }
      return Buffer.from(Uint32Array.from(found).buffer) // of processors with this byte order: all that Node runs on but s390x
    },
  }
}
