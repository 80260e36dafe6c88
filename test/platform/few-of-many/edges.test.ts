import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listsOf, type ListEdge } from '../../../src/records/edges.ts'
import { countOwned, fetchOwned } from '../../../src/store/owned-pages.ts'
import { findDefinition } from '../../../src/store/definitions.ts'
import { FEW, FLEETS, makeFleet, uuidOf, type Fleet, type Within } from '../../support/fleet.ts'

/** The lists of one object that has few of what all others have as many of. */
const LISTS: readonly (readonly [what: string, owner: string, ListEdge])[] = [
  ...listsOf('System').map((list) => [`${list.name} of a system`, uuidOf('system'), list] as const),
  ...listsOf('Component').map((list) => [`${list.name} of a component`, uuidOf('component'), list] as const),
  ...listsOf('User').map((list) => [`${list.name} of a user`, uuidOf('user'), list] as const),
]

/** Lists without an index, and why. */
const SCANNED: readonly string[] = ['refusedDatapoints']

describe.each(FLEETS)('the edges of one object on $name $statistics', (kind) => {
  let fleet: Fleet
  beforeAll(async () => {
    fleet = await makeFleet(kind)
  }, 120_000)
  afterAll(() => fleet.context.database.close())

  const cases = LISTS.flatMap((list) => (['all', 'the unit'] as const).map((within) => [...list, within] as const))

  it.each(cases)('%s read few rows', async (_, owner, { name, through }, within: Within) => {
    const units = within === 'the unit' && !('type' in through) && through.entity.system !== null ? [fleet.unit] : null
    const seen = { systemUuid: null, units }
    const page = { owners: [owner], first: 50, after: null, most: 1_000 }
    const listed = await fleet.looksAt((sql, id) => fetchOwned(sql, id, through, seen, page), within)
    const counted = await fleet.looksAt((sql, id) => countOwned(sql, id, through, seen, [owner]), within)
    const isScanned = SCANNED.includes(name)
    expect({
      listed: isScanned || listed <= FEW,
      counted: isScanned || counted <= FEW,
      rows: [listed, counted],
    }).toEqual({
      listed: true,
      counted: true,
      rows: [expect.any(Number), expect.any(Number)],
    })
  })

  it('a uuid of any object is found by few rows', async () => {
    expect(await fleet.looksAt((sql, id) => findDefinition(sql, id, uuidOf('event')))).toBeLessThanOrEqual(FEW)
  })
})
