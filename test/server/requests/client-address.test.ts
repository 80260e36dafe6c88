import { describe, expect, it } from 'vitest'
import { clientAddress, proxyList } from '../../../src/server/requests/client-address.ts'

const TRUSTED = proxyList(['10.0.0.0/8', '192.0.2.1', '2001:db8:ffff::/48'])

describe('without a trusted proxy', () => {
  it.each([
    ['203.0.113.7', undefined],
    ['203.0.113.7', '198.51.100.1'],
    ['::ffff:203.0.113.7', '10.0.0.1, 198.51.100.1'],
  ])('the socket alone counts (%s, %s)', (socket, header) => {
    expect(clientAddress(socket, header, TRUSTED)).toBe('203.0.113.7')
    expect(clientAddress(socket, header, proxyList([]))).toBe('203.0.113.7')
  })
})

describe('behind trusted proxies', () => {
  it.each([
    ['10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['::ffff:10.0.0.1', '203.0.113.7:4711', '203.0.113.7'],
    ['2001:db8:ffff::1', '[2001:db8::7]:443', '2001:db8::7'],
    ['10.0.0.1', '198.51.100.1, 203.0.113.7, 192.0.2.1, 10.1.1.1', '203.0.113.7'],
    ['10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', '203.0.113.7, unknown', '10.0.0.1'],
    ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ])('%s with %s stands for %s', (socket, header, client) => {
    expect(clientAddress(socket, header, TRUSTED)).toBe(client)
  })
})

it('is empty where there is no socket', () => {
  expect(clientAddress(undefined, '203.0.113.7', TRUSTED)).toBe('')
})
