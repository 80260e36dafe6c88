import { expect, it } from 'vitest'
import { normalAddress, spellingsOf } from '../../src/auth/email-address.ts'
import { coversAddress } from '../../src/auth/email-domains.ts'

it.each([
  ['Ann@Example.ORG', 'ann@example.org'],
  ['o.neil+tag@mail.example.org', 'o.neil+tag@mail.example.org'],
  ['ann@Bücher.example', 'ann@xn--bcher-kva.example'],
  ['ann@XN--BCHER-KVA.example', 'ann@xn--bcher-kva.example'],
  ['müller@example.org', 'müller@example.org'],
])('%j is spelled %j', (text, address) => {
  expect(normalAddress(text)).toBe(address)
})

it.each([
  'ａｎｎ@example.org',
  'ann@ｅｘａｍｐｌｅ.org',
  'ann＠example.org',
  'ﬁona@example.org',
  'mu\u0308ller@example.org',
  'ann\u200b@example.org',
  'ann\u202e@example.org',
  'ann @example.org',
  'Ann <ann@example.org>',
  'ann@evil.test@example.org',
  '"ann"@example.org',
  'ann@',
  '@example.org',
  'ann',
  'ann@-example.org',
  'ann@exa_mple.org',
  'ann@127.0.0.1',
  'ann@[127.0.0.1]',
  'ann@0x7f.1',
  'ann@example.org.',
  'ann@example.org%2e',
  'ann@somewhere.invalid',
  'ann\0@example.org',
  'ann\ud800@example.org',
  `${'a'.repeat(250)}@example.org`,
])('%j is no address that anybody is known by', (text) => {
  expect(normalAddress(text)).toBeNull()
})

it('is looked for as documents may spell it', () => {
  expect(spellingsOf('ann@example.org')).toStrictEqual(['ann@example.org'])
  expect(spellingsOf('ann@xn--bcher-kva.example')).toStrictEqual(['ann@xn--bcher-kva.example', 'ann@bücher.example'])
})

it('is covered by its very domain alone', () => {
  const trust = { emailDomains: ['example.org', 'xn--bcher-kva.example'] }
  const covered = ['ann@example.org', 'ann@sub.example.org', 'ann@notexample.org', 'ann@example.org.evil.test']
  expect(covered.map((address) => coversAddress(trust, address))).toStrictEqual([true, false, false, false])
})
