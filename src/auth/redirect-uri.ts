// Rules for redirect URIs of applications (RFC 6749, section 3.1.2; RFC 8252, section 7; RFC 9700, section 2.1).

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

/** Returns the reason why an application may not have a redirect URI; null if it may. The text continues a sentence. */
export function redirectUriProblem(uri: string): string | null {
  const url = URL.parse(uri)
  if (uri.includes('#')) return 'has a fragment (#…), which OAuth does not allow; remove it'
  if (url === null) return 'cannot be opened by a browser; correct the host or the port'
  const { protocol, hostname } = url
  if (protocol === 'https:') return webProblem(uri, hostname)
  if (protocol === 'http:')
    return LOOPBACK.includes(hostname)
      ? null
      : 'would send the code unencrypted; use https, or http://localhost for an application on the same machine'
  if (protocol.includes('.')) return null
  return `has the scheme ${protocol.slice(0, -1)}; use https, or for an app a scheme that begins with a domain name of yours in reverse, such as com.example.app:/callback`
}

function webProblem(uri: string, hostname: string): string | null {
  if (!/^https:\/\//i.test(uri)) return 'names no host; write https:// and the host'
  return hostname.includes('*') ? 'has a host with a wildcard, which matches nothing; write each address out' : null
}

const RUNS_IN_THE_BROWSER = ['javascript:', 'vbscript:', 'data:', 'blob:', 'file:', 'about:']

/**
 * Tells whether a stored redirect URI may be used. An earlier release stored more URIs than `redirectUriProblem` allows
 * now. Of these, unencrypted addresses and schemes of every form still work, but only with PKCE.
 */
export function servesRedirect(uri: string): boolean {
  const url = URL.parse(uri)
  return url !== null && !uri.includes('#') && !RUNS_IN_THE_BROWSER.includes(url.protocol)
}

/** Tells whether somebody else could intercept the code on its way to an address, so that PKCE must protect it. */
export function needsPkce(uri: string): boolean {
  const { protocol, hostname } = URL.parse(uri) ?? {}
  return protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.includes(hostname ?? ''))
}
