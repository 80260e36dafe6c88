/**
 * The name in a Host header in the form of a domain's host names: in lower case, without the port, a final dot and
 * the brackets of an IPv6 address. Null where it is no name.
 */
export function hostName(header: string): string | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?)\.?)(?::\d{0,5})?$/i.exec(header)
  return (match?.[1] ?? match?.[2])?.toLowerCase() ?? null
}
