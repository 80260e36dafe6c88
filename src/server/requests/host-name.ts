/**
 * The name in a Host header as domains have it: lower case, without port, closing dot and the brackets of an IPv6
 * address. Null where it is none.
 */
export function hostName(header: string): string | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?)\.?)(?::\d{0,5})?$/i.exec(header)
  return (match?.[1] ?? match?.[2])?.toLowerCase() ?? null
}
