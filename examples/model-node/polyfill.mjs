// The polyfill does nothing where there is a URLSearchParams that works, so it is loaded where there is none.
delete globalThis.URLSearchParams
await import('url-search-params-polyfill')

export { read, write } from './calls.mjs'
