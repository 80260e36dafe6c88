import { isIPv6 } from 'node:net'

/** Returns the network of one household or machine: an IPv4 address, or the /64 network of an IPv6 address. */
export function networkOf(address: string): string {
  return plainIPv4(address) ?? (isIPv6(address) ? groupsOf(address).slice(0, 4).join(':') : address)
}

/** Returns the largest network of one customer of a provider: 256 IPv4 addresses, or a /48 network of IPv6. */
export function wideNetworkOf(address: string): string {
  const ipv4 = plainIPv4(address)
  if (ipv4 !== null) return ipv4.split('.').slice(0, 3).join('.')
  return isIPv6(address) ? groupsOf(address).slice(0, 3).join(':') : address
}

/** Returns that network in readable form; null if the address is not known. */
export function shownNetworkOf(address: string): string | null {
  if (address === '') return null
  return plainIPv4(address) === null ? `${wideNetworkOf(address)}::/48` : `${wideNetworkOf(address)}.0/24`
}

function plainIPv4(address: string): string | null {
  return /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? null
}

function groupsOf(address: string): string[] {
  // A zone (`%eth0`) names a network interface of this machine, which a URL does not allow.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`)
  const [before = '', after] = hostname.slice(1, -1).split('::')
  const start = before === '' ? [] : before.split(':')
  const end = after === undefined || after === '' ? [] : after.split(':')
  return [...start, ...Array.from({ length: 8 - start.length - end.length }, () => '0'), ...end]
}
