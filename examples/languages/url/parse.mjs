// URL of Node, which is that of browsers (https://url.spec.whatwg.org), for URLs of http and https.
const ports = { 'http:': '80', 'https:': '443' }

export default function parse (text) {
  const u = new URL(text)
  if (!(u.protocol in ports)) throw new TypeError('no URL of http or https with a host')
  return JSON.stringify({
    scheme: u.protocol.slice(0, -1),
    host: u.hostname.replace(/^\[|\]$/g, ''),
    port: u.port || ports[u.protocol],
    path: u.pathname,
    query: u.search.slice(1)
  })
}
