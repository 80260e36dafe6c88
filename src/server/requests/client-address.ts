import { BlockList, isIP, isIPv6 } from 'node:net'

/** The proxies in front of this server, whose word on who asks is taken (HOLDFAST_TRUSTED_PROXIES). */
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
 * From where a request comes: the socket's other end, or, where that is a trusted proxy, what it says of the one before
 * it, as long as that is a trusted one too. What stands further left in the header anybody can have written there.
 */
export function clientAddress(
  socket: string | undefined,
  forwardedFor: string | undefined,
  trusted: BlockList,
): string {
  const before = (forwardedFor ?? '').split(',').map(addressIn)
  let nearest = addressIn(socket ?? '')
  while (nearest !== '' && isTrusted(nearest, trusted)) {
    const next = before.pop()
    if (next === undefined || next === '') break
    nearest = next
  }
  return nearest
}

/** `203.0.113.7`, also out of `203.0.113.7:4711`, `[2001:db8::1]:4711` and `::ffff:203.0.113.7`; empty where it is none. */
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
