import { expect, it } from 'vitest'
import { danglingDiagnostics, type ExternalReference } from '../../../src/documents/checks/dangling.ts'
import { MOST_GUESSES } from '../../../src/lib/suggest.ts'
import { danglingExternals } from '../../../src/plan/findings/findings.ts'
import type { LiveIndex } from '../../../src/plan/live-state.ts'
import type { Digest } from '../../../src/lib/digest.ts'
import type { RecordTypeName } from '../../../src/records/record-type.ts'

// Each guess compares a missing key with all keys of its type, so a document with thousands of missing keys gets only a few.

function reference(type: RecordTypeName, key: string): ExternalReference {
  return { type, key, from: { type: 'componentModels', key: 'meter' }, pointer: '/componentModels/0' }
}

const missing = Array.from({ length: 500 }, (_, index) => reference('services', `servise-${index}`))
const existing = Array.from({ length: 500 }, (_, index) => `service-${index}`)

it('asks for the keys of a type once, and guesses for the first missing keys', () => {
  const asked: RecordTypeName[] = []
  const found = danglingDiagnostics([...missing, reference('dataSources', 'kwh')], (type) => {
    asked.push(type)
    return existing
  })
  expect(asked).toEqual(['services'])
  expect(found).toHaveLength(501)
  expect(found.map(({ message }) => message.includes('Did you mean'))).toEqual(
    Array.from({ length: 501 }, (_, index) => index < MOST_GUESSES),
  )
})

it('gives all references to one missing key the same guess', () => {
  const same = Array.from({ length: 30 }, () => reference('services', 'servise-1'))
  const messages = danglingDiagnostics(same, () => existing).map(({ message }) => message)
  expect(new Set(messages).size).toBe(1)
  expect(messages[0]).toContain('Did you mean "service-1"?')
})

it('goes through the keys of the platform once for each type', () => {
  let copies = 0
  class Counted extends Map<string, Digest> {
    override keys() {
      copies += 1
      return super.keys()
    }
  }
  const digests = new Map([['services', new Counted(existing.map((key) => [key, 'sha256:0']))]] as const)
  const index: LiveIndex = { digests, managed: new Map(), drift: new Map() }
  const found = danglingExternals([...missing, reference('services', 'service-7')], index)
  expect(found).toHaveLength(500)
  expect(copies).toBe(1)
})
