import type { Database } from '../../src/db/sql.ts'

// What takes the most of a server by lists that one request uses many times, and by metadata that is read with all else.

const wide = (count: number, field: string) =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')

const FILTER = 'first: 1, filter: { systems: $u }'
const uses = (count: number, field: string) =>
  `query ($u: [ID!]) { ${wide(count, `${field}(${FILTER}) { totalCount }`)} }`

const CREATE = 'mutation ($i: SystemInput!) { createSystem(input: $i) { uuid } }'

function system(items: number): object {
  const metadata = Array.from({ length: items }, (_, index) => ({ key: `k${index}`, value: 'v'.repeat(59) }))
  return { i: { name: 'Full', metadataKeyValueStore: metadata } }
}

/** Makes a system with as much metadata as it may have. */
export const FULL_SYSTEM = { query: CREATE, variables: system(200) }

/** There should be a thousand of such systems. */
export function worstLists(): readonly (readonly [what: string, query: string, variables: object, status: number])[] {
  const u = Array.from({ length: 26_000 }, () => crypto.randomUUID())
  const metadata = '{ nodes { metadataKeyValueStore { key value } } }'
  return [
    ['one list', uses(1, 'components'), { u }, 400],
    ['many uses', uses(50, 'setpoints'), { u }, 400],
    ['as many entries as are taken', uses(20, 'events'), { u: u.slice(0, 1_000) }, 200],
    ['more metadata than is taken', CREATE, system(10_000), 200],
    ['metadata of a few', `{ systems(first: 49) ${metadata} }`, {}, 200],
    ['metadata of all', `{ systems(first: 1000) ${metadata} }`, {}, 200],
    ['metadata that is not shown', `{ ${wide(9, 'systems(first: 1000) { nodes { name } }')} }`, {}, 200],
    ['metadata of all again and again', `{ ${wide(10, `systems(first: 1000) ${metadata}`)} }`, {}, 400],
  ]
}

const CHARACTERISTIC = 'mutation ($i: CharacteristicInput!) { createCharacteristic(input: $i) { code } }'

function schema(
  what: string,
  value: object,
): readonly [what: string, query: string, variables: object, status: number] {
  const input = { code: what, name: what, characteristicType: 'MEASUREMENT', dataType: 'JSON', schema: value }
  return [`schema of ${what}`, CHARACTERISTIC, { i: input }, 200]
}

const properties = (count: number, of: (index: number) => object) => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, of(index)])),
})

/** Schemas for values, as large as one request takes or with the dearest patterns. */
export function worstSchemas() {
  return [
    schema(
      'patterns',
      properties(3_000, (index) => ({ type: 'string', pattern: `(a?){60}a{60}b${index}` })),
    ),
    schema(
      'properties',
      properties(15_000, () => ({ type: 'string', maxLength: 5 })),
    ),
    schema('texts', { enum: Array.from({ length: 60_000 }, (_, index) => `v${index}`) }),
    schema('objects', { enum: Array.from({ length: 20_000 }, (_, index) => ({ a: [index, { b: index }] })) }),
    schema('ranges', {
      anyOf: Array.from({ length: 450 }, (_, i) => ({ pattern: `${String.raw`[\u0000-\u{10ffff}]`.repeat(90)}${i}` })),
    }),
  ]
}

/** Makes so many copies at once. */
export async function copySystem(database: Database, uuid: string, count: number): Promise<void> {
  await database.statement(
    `insert into systems (domain_id, uuid, name, status, metadata, created_at, updated_at)
     select domain_id, gen_random_uuid(), name, status, metadata, created_at, updated_at
       from systems, generate_series(1, ${count}) where uuid = $1`,
    [uuid],
  )
}
