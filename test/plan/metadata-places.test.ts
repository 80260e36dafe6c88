import { expect, test } from 'vitest'
import type { Json } from '../../src/lib/json.ts'
import { planAgainst } from './plan-against.ts'

const metadataTypes = [{ key: 'serial', entityType: 'SERVICE', dataType: 'INTEGER', unique: true }]
const service = (code: string, ...keys: readonly string[]): { [field: string]: Json } => ({
  code,
  name: 'S',
  ...(keys.length > 0 && { metadataKeyValueStore: keys.map((key) => ({ key, value: 1 })) }),
})

test('a value that another record on the platform has is found at its place in the document', async () => {
  const live = { metadataTypes, services: [service('a', 'serial')] }
  const { diagnostics } = await planAgainst(live, {
    metadataTypes,
    services: [service('a'), service('b', 'z', 'serial', 'k')],
  })
  expect(diagnostics).toMatchObject([
    { code: 'metadata-not-unique', pointer: '/services/1/metadataKeyValueStore/1/value' },
  ])
})
