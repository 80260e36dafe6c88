import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listsOf } from '../../../src/records/edges.ts'
import { ENTITIES } from '../../../src/records/entities.ts'
import { PLANNED_TYPES } from '../../../src/records/registry.ts'
import { findDefinitions } from '../../../src/store/definitions.ts'
import { readDomain } from '../../../src/store/domains.ts'
import { countOwned, fetchOwned } from '../../../src/store/owned-pages.ts'
import { FEW, FLEETS, makeFleet, uuidOf, type Fleet } from '../../support/fleet.ts'

const DEFINITIONS = new Set([...PLANNED_TYPES, ...ENTITIES].map(({ definition }) => definition))

const LISTS = [...DEFINITIONS].flatMap((owner) => listsOf(owner).map((list) => ({ ...list, owner })))

/** The owners that have few of what all others have as many of. */
const OF_FEW: { readonly [definition: string]: string } = {
  System: uuidOf('system'),
  Component: uuidOf('component'),
  User: uuidOf('user'),
}
/** An object without others. */
const NOBODY = uuidOf('characteristic')

/** The owners that have all there are. */
const OF_ALL = {
  Organization: 'unit',
  ComponentModel: 'model',
  EventModel: 'eventModel',
  Service: 'service',
  Characteristic: 'characteristic',
} as const satisfies { readonly [definition: string]: keyof Fleet }
/** Lists that are sorted, because the index has no order (0032-lists-of-owners.sql). */
const SORTED: readonly string[] = ['refusedDatapoints']
const LONG = Object.entries(OF_ALL).flatMap(([owner, of]) =>
  listsOf(owner).flatMap(({ name, through }) =>
    'entity' in through && !SORTED.includes(name) ? [{ owner, of, name, through }] : [],
  ),
)

const pageOf = (owner: string, first = 10, after: string | null = null) => {
  return { owners: [owner], first, after, most: 1_000 }
}

describe.each(FLEETS)('the edges of one object on $name $statistics', (kind) => {
  let fleet: Fleet
  beforeAll(async () => {
    fleet = await makeFleet(kind)
  })
  afterAll(() => fleet.context.database.close())

  it.each(LISTS)('$name of $owner read few rows, even if there are none', async ({ owner, through }) => {
    for (const uuid of [OF_FEW[owner] ?? NOBODY, NOBODY]) {
      for (const within of ['all', 'the unit'] as const) {
        const hasUnits = within === 'the unit' && 'entity' in through && through.entity.system !== null
        const seen = { systemUuid: null, units: hasUnits ? [fleet.unit] : null }
        const listed = await fleet.looksAt((sql, id) => fetchOwned(sql, id, through, seen, pageOf(uuid)), within)
        const counted = await fleet.looksAt((sql, id) => countOwned(sql, id, through, seen, [uuid]), within)
        expect({ listed: Math.max(listed, FEW), counted: Math.max(counted, FEW) }).toEqual({
          listed: FEW,
          counted: FEW,
        })
      }
    }
  })

  it.each(LONG)(
    'a page of the $name of a $owner reads few of many rows, wherever it begins',
    async ({ of, through }) => {
      const { context } = fleet
      const seen = { systemUuid: null, units: null }
      const found = await readDomain(context.database, context.domain.id, (sql) =>
        fetchOwned(sql, context.domain.id, through, seen, pageOf(fleet[of], 900)),
      )
      for (const after of [null, found[899]?.cursor ?? '']) {
        const page = pageOf(fleet[of], 10, after)
        const listed = await fleet.looksAt((sql, id) => fetchOwned(sql, id, through, seen, page))
        expect([listed >= 11, Math.max(listed, FEW)]).toEqual([true, FEW])
      }
    },
  )

  it('a uuid of any object is found by few rows', async () => {
    expect(await fleet.looksAt((sql, id) => findDefinitions(sql, id, uuidOf('event')))).toBeLessThanOrEqual(FEW)
  })
})
