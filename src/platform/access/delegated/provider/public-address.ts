import { BlockList, isIPv4 } from 'node:net'

// These lists define which addresses are on the internet. A request to an address that another person chose must not
// reach hosts that are only open to this machine or its network (server-side request forgery).

/** IANA's registry of special-purpose IPv4 addresses (RFC 6890 and later), and multicast and reserved addresses. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]

/** The part of IPv6 that is assigned for the internet (RFC 4291, section 2.4). */
const GLOBAL_IPV6 = ['2000::/3']

/** Exceptions from that part: protocols (with Teredo), documentation, and 6to4, which leads to any IPv4 address. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const specialIpv4 = blockList('ipv4', SPECIAL_IPV4)
const globalIpv6 = blockList('ipv6', GLOBAL_IPV6)
const specialIpv6 = blockList('ipv6', SPECIAL_IPV6)

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialIpv4.check(address, 'ipv4')
  return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
}

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}
