import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostName } from '../../src/server/requests/host-name.ts'
import { traceIdOf } from '../../src/server/requests/trace.ts'

describe('the name in a Host header', () => {
  it.each([
    ['localhost', 'localhost'],
    ['LocalHost:3000', 'localhost'],
    ['building.example.com.', 'building.example.com'],
    ['building.example.com.:443', 'building.example.com'],
    ['127.0.0.1:80', '127.0.0.1'],
    ['[::1]:3000', '::1'],
    ['[FE80::1]', 'fe80::1'],
    ['localhost:65535', 'localhost'],
    ['localhost:', 'localhost'],
    ['localhost:65536', null],
    ['', null],
    ['a b', null],
    ['a/b', null],
    ['user@host', null],
    ['host:port', null],
    ['[::1', null],
    ['.', null],
  ])('%s is %s', (header, name) => {
    expect(hostName(header)).toBe(name)
  })
})

describe('the trace-id of a request', () => {
  const id = '0af7651916cd43dd8448eb211c80319c'

  it.each([`00-${id}-b7ad6b7169203331-01`, `00-${id}-b7ad6b7169203331-00`, `01-${id}-b7ad6b7169203331-01-more`])(
    'is continued from %s',
    (header) => {
      expect(traceIdOf(header)).toBe(id)
    },
  )

  it.each([
    undefined,
    '',
    id,
    `ff-${id}-b7ad6b7169203331-01`,
    `00-${id}-b7ad6b7169203331-01-more`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${id}-${'0'.repeat(16)}-01`,
    `00-${id.toUpperCase()}-b7ad6b7169203331-01`,
  ])('is a new one for %s', (header) => {
    const made = traceIdOf(header)
    expect(made).toMatch(/^[0-9a-f]{32}$/)
    expect(made).not.toBe(id)
    expect(traceIdOf(header)).not.toBe(made)
  })

  it('has one form, whatever the header', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(traceIdOf(header)).toMatch(/^[0-9a-f]{32}$/)
      }),
    )
  })
})
