import { isIPv6 } from 'node:net'

/** What one household or machine has: an IPv4 address, or the 64-bit network of an IPv6 address. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  return isIPv6(address) ? groupsOf(address).slice(0, 4).join(':') : address
}

function groupsOf(address: string): string[] {
  // A zone (`%eth0`) names a network interface of this machine; a URL does not take it.
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`)
  const [before = '', after] = hostname.slice(1, -1).split('::')
  const start = before === '' ? [] : before.split(':')
  const end = after === undefined || after === '' ? [] : after.split(':')
  return [...start, ...Array.from({ length: 8 - start.length - end.length }, () => '0'), ...end]
}
