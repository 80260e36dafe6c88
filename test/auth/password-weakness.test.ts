import { describe, expect, it } from 'vitest'
import { commonnessOf, patternIn } from '../../src/auth/password-weakness.ts'
import { secretWeakness } from '../../src/auth/secret-strength.ts'

const CONTEXT = ['ann.example@building.example.org', 'Building One', 'holdfast']
const COMMON = new Set(['password', 'sunshine', 'iloveyouforever', 'letmein'])
const weakness = (text: string) => patternIn(text) ?? commonnessOf(text, CONTEXT, (word) => COMMON.has(word))

describe('a password is weak', () => {
  it.each([
    ['aaaaaaaaaaaa', 'one character again and again'],
    [' '.repeat(12), 'nothing but blanks'],
    ['abcabcabcabc', 'one piece again and again'],
    ['passwordpassword', 'one piece again and again'],
    ['password-password', 'one piece again and again'],
    ['Local.local_local', 'one piece again and again'],
    ['1-harbour harbour!!2026', 'one piece again and again'],
    ['123456789012', 'runs along'],
    ['abcdefghijklm', 'runs along'],
    ['qwertyuiopasdf', 'runs along'],
    ['0987654321098', 'runs along'],
    ['aaaabbbbcccc', 'runs along'],
    ['ａｂｃｄｅｆｇｈｉｊｋｌ', 'runs along'],
    ['iloveyouforever', 'many people choose'],
    ['I Love You Forever', 'many people choose'],
    ['Password1234!', 'many people choose'],
    ['ann.example@building.example.org', 'others know'],
    ['ann.example2026', 'others know'],
    ['Holdfast-2026', 'others know'],
    ['BuildingOne1!', 'others know'],
    ['holdfast1-holdfast2', 'others know'],
    ['ann.example or ann-example', 'others know'],
  ])('%s', (text, why) => {
    expect(weakness(text)).toContain(why)
  })
})

it.each([
  'correct horse battery',
  'stapler under the tree',
  'three lamps by the river',
  'my example of a long holdfast phrase',
  'the harbour and the harbour wall',
  'q8#Vt2pLz!m4Xw',
  'aa83920174658201',
  'a!?$%&/()=+*a',
  crypto.randomUUID(),
])('%s is a good one', (text) => {
  expect(weakness(text)).toBeNull()
})

it('what programs use must not be found by trying either', () => {
  for (const weak of ['a', 'x'.repeat(40), 'gateway-9-gateway-9-gateway-9', 'secret', 'correct horse'])
    expect(secretWeakness(weak)).not.toBeNull()
  for (const good of [crypto.randomUUID(), 'secret-of-the-portal-0123456789', 'd2JmL4TqZ8nXw0Rv7Ks1Py5U'])
    expect(secretWeakness(good)).toBeNull()
})
