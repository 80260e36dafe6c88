import { expect, it } from 'vitest'
import { acceptedCoding } from '../../../src/server/requests/accepted-type.ts'

it.each([
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;Q=0.5', 'gzip'],
  ['zstd;q=0.1, br;q=0.5, gzip;q=0.9', 'gzip'],
  ['br;q=0, *', 'zstd'],
  ['zstd;q=0, *;q=0.5', 'br'],
  ['*', 'zstd'],
  ['identity;q=0.5, gzip;q=0.4', null],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity', null],
  ['gzip;q=0', null],
  ['*;q=0', null],
  ['deflate', null],
  ['', null],
  ['gzip;q=no', null],
  [undefined, null],
])('a client that accepts %s gets %s', (header, coding) => {
  expect(acceptedCoding(header, ['zstd', 'br', 'gzip'])).toBe(coding)
})
