import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ARGON2, isUpToDate, parsePhc, toPhc, type PasswordHash } from '../../src/auth/password-hash.ts'

const bytes = (minLength: number) => fc.uint8Array({ minLength, maxLength: 64 })

const passwordHash: fc.Arbitrary<PasswordHash> = fc
  .record({ salt: bytes(8), tag: bytes(4), memory: fc.nat(), passes: fc.nat(), parallelism: fc.nat() })
  .map(({ salt, tag, ...parameters }) => ({ parameters: { ...parameters, tagLength: tag.length }, salt, tag }))

test('what is written is read back', () => {
  fc.assert(
    fc.property(passwordHash, (hash) => {
      expect(parsePhc(toPhc(hash))).toStrictEqual(hash)
    }),
  )
})

test('it is written as other implementations write it', () => {
  const hash = { parameters: ARGON2, salt: new Uint8Array(16).fill(255), tag: new Uint8Array(32) }
  expect(toPhc(hash)).toBe(`$argon2id$v=19$m=19456,t=2,p=1$${'/'.repeat(21)}w$${'A'.repeat(43)}`)
})

test.each([
  '',
  'hmac-sha256:abc',
  '$argon2i$v=19$m=1,t=1,p=1$c2FsdA$dGFn',
  '$argon2id$v=16$m=1,t=1,p=1$c2FsdA$dGFn',
  '$argon2id$v=19$m=1,t=1,p=1$c2FsdA',
  '$argon2id$v=19$m=-1,t=1,p=1$c2FsdA$dGFn',
])('%j is no password hash', (text) => {
  expect(parsePhc(text)).toBeNull()
})

test('a hash of other parameters than new ones have is not up to date', () => {
  const hash = { parameters: ARGON2, salt: new Uint8Array(16), tag: new Uint8Array(32) }
  expect(isUpToDate(hash)).toBe(true)
  for (const name of ['memory', 'passes', 'parallelism', 'tagLength'] as const)
    expect(isUpToDate({ ...hash, parameters: { ...ARGON2, [name]: 1_000 } })).toBe(false)
})
