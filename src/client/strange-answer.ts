import type { Answer } from '../shell/io.ts'

/** Tells whether an answer only asks the client to try again later (RFC 9110, section 10.2.3). */
export function isBusy({ status }: Answer): boolean {
  return [408, 429, 502, 503, 504].includes(status)
}

/** Describes an answer not of a Holdfast platform, but of a proxy, a login page or another program. */
export function strangeAnswer({ status, headers }: Answer): string {
  const location = headers.get('location')
  if (location !== null) return `redirects to ${location}; use that address`
  // Status 421 means that the server does not answer for this host name (RFC 9110, section 15.5.20).
  if (status === 421)
    return 'does not know itself by this name; use a name that it knows, or set HOLDFAST_BASE_URL on the server'
  return `does not answer like a Holdfast platform (status ${status}); check the address`
}
