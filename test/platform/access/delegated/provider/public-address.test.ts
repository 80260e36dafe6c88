import { describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../../../../src/platform/access/delegated/provider/public-address.ts'

describe('an address on the internet', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.1.1',
    '100.63.0.1',
    '100.128.0.1',
    '223.255.255.254',
  ])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each(['2606:4700:4700::1111', '2a00:1450:4001:800::200e'])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    ['this machine', '127.0.0.1'],
    ['this machine', '127.255.255.254'],
    ['this machine', '::1'],
    ['no address', '0.0.0.0'],
    ['no address', '::'],
    ['a private network', '10.0.0.1'],
    ['a private network', '172.16.0.1'],
    ['a private network', '172.31.255.255'],
    ['a private network', '192.168.1.1'],
    ['a private network', 'fd00::1'],
    ['the metadata of a cloud machine', '169.254.169.254'],
    ['a link', 'fe80::1'],
    ['a carrier', '100.64.0.1'],
    ['a group', '224.0.0.1'],
    ['a group', 'ff02::1'],
    ['everybody', '255.255.255.255'],
    ['nothing yet', '240.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation', '2001:db8::1'],
    ['IPv4 in IPv6', '::ffff:127.0.0.1'],
    ['IPv4 in IPv6', '::ffff:8.8.8.8'],
    ['IPv4 in IPv6 (NAT64)', '64:ff9b::7f00:1'],
    ['IPv4 in IPv6 (6to4)', '2002:7f00:1::1'],
    ['IPv4 in IPv6 (Teredo)', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ])('is not one of %s: %s', (_, address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})
