const NAME = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?)\.?)(?::(\d{0,5}))?$/i
const HIGHEST_PORT = 65_535

/** The addresses that stand for all interfaces of this machine, each with an address that reaches it. */
export const WILDCARDS: { readonly [address: string]: string } = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/**
 * The name in a Host header in the form of a domain's host names: in lower case, without the port, a final dot and the
 * brackets of an IPv6 address. Null if it is no valid name, or has an impossible port.
 */
export function hostName(header: string): string | null {
  const [, address, name, port = ''] = NAME.exec(header) ?? []
  return Number(port) > HIGHEST_PORT ? null : ((address ?? name)?.toLowerCase() ?? null)
}
