/** What there is to say of an answer that no Holdfast platform gives: a proxy's, a login page's, another program's. */
export function strangeAnswer({ status, headers }: Response): string {
  const location = headers.get('location')
  if (location !== null) return `redirects to ${location}; give that address as --url`
  // RFC 9110, section 15.5.20.
  if (status === 421)
    return 'does not know itself by this name; use a name that it knows, or set HOLDFAST_BASE_URL on the server'
  return `does not answer like a Holdfast platform (status ${status}); check --url`
}
