import { BlockList, isIP, isIPv6 } from 'node:net'

/** The proxies in front of this server, whose statement about the client is trusted (HOLDFAST_TRUSTED_PROXIES). */
export function proxyList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/**
 * The address of a request: the other end of the socket. If that is a trusted proxy, it is the address that the proxy
 * names, and so on for further trusted proxies. Anyone can write the addresses further left in the header.
 */
export function clientAddress(
  socket: string | undefined,
  forwardedFor: string | undefined,
  trusted: BlockList,
): string {
  const before = (forwardedFor ?? '').split(',')
  let nearest = addressIn(socket ?? '')
  while (nearest !== '' && isTrusted(nearest, trusted)) {
    const next = addressIn(before.pop() ?? '')
    if (next === '') break
    nearest = next
  }
  return nearest
}

/**
 * `203.0.113.7`, also from `203.0.113.7:4711`, `[2001:db8::1]:4711` and `::ffff:203.0.113.7`; empty if the text is
 * no address.
 */
function addressIn(text: string): string {
  const plain = text
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  const address = plain.replace(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i, '$1')
  return isIP(address) === 0 ? '' : address
}

function isTrusted(address: string, trusted: BlockList): boolean {
  return trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
