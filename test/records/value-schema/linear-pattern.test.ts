import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { LinearPattern } from '../../../src/records/value-schema/linear-pattern.ts'

// The reference is the engine of the language, which is fast enough for texts this short. It is asked at each character:
// by itself it also looks between the halves of a surrogate pair, where \B would match.

function matches(source: string, value: string): boolean {
  const expression = new RegExp(source, 'uy')
  let at = 0
  return [...value, ''].some((character) => {
    expression.lastIndex = at
    at += character.length
    return expression.test(value)
  })
}

const atom = fc.oneof(
  fc.constantFrom('a', 'b', 'é', '.', '[ab]', '[^a]', '^', '$', String.raw`\s`, String.raw`[^\s]`),
  fc.constantFrom(String.raw`\d`, String.raw`\w`, String.raw`\b`, String.raw`\B`, String.raw`\x61`, String.raw`\p{L}`),
  fc.constantFrom(String.raw`[\]a-]`, String.raw`\u{1F600}`, String.raw`\ud83d\ude00`),
)

const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'pattern' },
    atom,
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('|')),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '*?', '{2}', '{0}', '{1,3}', '{2,}', '{0,2}?'))
      .map(([inside, quantifier]) => `(?:${inside})${quantifier}`),
    tie('pattern').map((inside) => `(${inside})`),
    fc.constant(''),
  ),
}))

const text = fc.string({
  unit: fc.constantFrom('a', 'b', '1', ' ', '\n', '😀', 'é', ']', '-', '\u00a0', '\r'),
  maxLength: 8,
})

test('a pattern matches what the engine of the language says', () => {
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 5 }), (source, texts) => {
      const linear = new LinearPattern(source)
      expect(texts.map((value) => linear.test(value))).toStrictEqual(texts.map((value) => matches(source, value)))
    }),
    { numRuns: 3000 },
  )
})

test.each<[string, readonly string[], readonly string[]]>([
  ['^([0-9a-f]{2}:){5}[0-9a-f]{2}$', ['00:1a:22:33:44:ff'], ['00:1a:22:33:44', '00:1a:22:33:44:fff', '']],
  [String.raw`^(?<major>\d+)\.(\d+)(?:-[\w.]+)?$`, ['1.2', '10.0-rc.1'], ['1', '1.2-', 'v1.2']],
  ['cat|dog', ['a dog', 'cat'], ['cow']],
  [String.raw`^\/[^\/]+$`, ['/a'], ['/', '/a/']],
])('%s', (source, matching, others) => {
  const linear = new LinearPattern(source)
  expect(matching.filter((value) => !linear.test(value))).toStrictEqual([])
  expect(others.filter((value) => linear.test(value))).toStrictEqual([])
})

test.each([
  '(a',
  '(?<=a)b',
  '(?!a)',
  String.raw`(a)\1`,
  String.raw`(?<n>a)\k<n>`,
  '(?:){5000}',
  '(?:){0,5000}',
  'a{5000}',
])('%s is refused', (source) => {
  expect(() => new LinearPattern(source)).toThrow(/./)
})
