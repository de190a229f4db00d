// Blocks by V8's precise coverage without counts of calls, of one input in 16: the way not taken (README.md, cover).
import { Session } from 'node:inspector'

const SHARE = 16

export function observe(texts, url) {
  const session = new Session()
  session.connect()
  const post = (method, params) => {
    let answer
    session.post(method, params, (error, result) => { answer = result })
    return answer
  }
  post('Profiler.enable')
  post('Profiler.startPreciseCoverage', { callCount: false, detailed: true, allowTriggeredUpdates: false })
  let inputs = 0, found = 0
  const take = () => {
    for (const { url, functions } of post('Profiler.takePreciseCoverage').result) {
      if (!url.includes('/node_modules/')) continue
      for (const { ranges } of functions) found += ranges.length
    }
  }
  return {
    greeting: () => Buffer.alloc(0),
    begin() { if (inputs++ % SHARE === 0) take() }, // what others ran is not this one's
    take() {
      if (inputs % SHARE === 1) take()
      return Buffer.alloc(0)
    },
  }
}
