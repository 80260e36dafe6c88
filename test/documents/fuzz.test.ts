import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { linesOf, loadFiles } from './load-files.ts'

const encoder = new TextEncoder()
const real = {
  json: JSON.stringify(
    {
      services: [
        { code: 'heating', name: 'Heating °C 😀', metadataKeyValueStore: [{ key: 'a', value: { float: 1.5e3 } }] },
      ],
    },
    null,
    2,
  ),
  yaml: 'services: # all\n  - &a code: heating\n    name: "Heating \\u00b0C"\n    description: >-\n      folded\n      text\n  - *a\n---\nusers: [{email: a@example.org, name: ~}]\n',
}

/** Whatever the bytes are, there must be an answer in which every finding has a position: returned is what is not so. */
function oddities(path: string, bytes: Uint8Array): unknown[] {
  const loaded = loadFiles({ [path]: bytes })
  const places = [...loaded.locate(['/services/0/name', '/users/0/email', '/services/1', '']).values()]
  return [
    ...linesOf(loaded).filter((line) => !/^[ab]\.\w+:\d+:\d+: (error|warning) [\w-]+: /.test(line)),
    ...places.filter(({ line, column }) => !(line > 0 && column > 0)),
  ]
}

test.each(['json', 'yaml'] as const)('random bytes as %s never throw', (ending) => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(oddities(`a.${ending}`, bytes)).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test.each(['json', 'yaml'] as const)('a %s file cut off anywhere never throws', (ending) => {
  const bytes = encoder.encode(real[ending])
  for (let length = 0; length <= bytes.length; length++) {
    expect(oddities(`a.${ending}`, bytes.subarray(0, length))).toEqual([])
  }
})

test.each(['json', 'yaml'] as const)('a %s file with a few bytes changed never throws', (ending) => {
  const change = fc.tuple(
    fc.nat(),
    fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(...encoder.encode('{}[]"\'\\:,-?&*!|>#%@\t\n ${'))),
  )
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
      const bytes = encoder.encode(real[ending])
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte
      expect(oddities(`b.${ending}`, bytes)).toEqual([])
    }),
    { numRuns: 1000 },
  )
})
