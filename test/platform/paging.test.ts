import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { createComponents, listComponents, updateComponent } from '../../src/platform/systems/components.ts'
import { createEvent, listEvents } from '../../src/platform/systems/events.ts'
import { listRecords } from '../../src/platform/records/read-records.ts'
import { nextAfter, type Page, type PageRequest } from '../../src/platform/paging.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { runsOf } from '../support/runs.ts'
import { oneDomain } from './one-domain.ts'
import { ANYBODY, makeSite, type Site } from './systems/site.ts'

const RUNS = runsOf('LAW_RUNS', { sample: 12, long: 100 })

/** Every item of a list, page by page; `between` happens before each page but the first. */
async function walk<Item>(
  list: (page: PageRequest) => Promise<Page<Item>>,
  first: number,
  between: () => Promise<void> = async () => {},
): Promise<Item[]> {
  const seen: Item[] = []
  for (let after: string | null = null; ;) {
    const page = await list({ first, after })
    seen.push(...page.items)
    after = nextAfter(page)
    if (after === null) return seen
    await between()
  }
}

/** Few, so that several have the same one. */
const NAMES = ['a', 'B', 'b', 'ä', '"', '\\', '🌡', 'b'.repeat(500)]

const name = fc.constantFrom(...NAMES)
const edit = fc.oneof(
  fc.record({ does: fc.constant('rename' as const), which: fc.nat(), name }),
  fc.record({ does: fc.constant('remove' as const), which: fc.nat() }),
  fc.record({ does: fc.constant('add' as const), name }),
)

describe.each(SAMPLED_DATABASES)('pages of a list on $name', (kind) => {
  const domain = oneDomain(kind)
  let site: Site
  beforeEach(async () => {
    site = await makeSite(domain())
  })

  const add = async (names: readonly string[]): Promise<string[]> => {
    const given = names.map((one) => ({ system: site.system.uuid, componentModel: 'sensor', name: one }))
    return (await createComponents(domain(), EVERYWHERE, given)).map(({ uuid }) => uuid)
  }
  const removeAll = (condition = 'true') => domain().database.script(`delete from components where ${condition}`)

  it('have everything once that is there all the time under one name, whatever happens in between', async () => {
    const steps = fc.array(fc.array(edit, { maxLength: 4 }), { maxLength: 12 })
    const law = fc.asyncProperty(
      fc.array(name, { minLength: 1, maxLength: 14 }),
      fc.integer({ min: 1, max: 4 }),
      steps,
      async (names, first, edits) => {
        await removeAll()
        const live = await add(names)
        const lasting = new Set(live)
        const made: string[] = []
        const remaining = [...edits]
        const between = async () => {
          for (const one of remaining.shift() ?? []) {
            if (one.does === 'add') {
              made.push(...(await add([one.name])))
              continue
            }
            const uuid = live[one.which % live.length] ?? ''
            if (one.does === 'remove') await removeAll(`uuid = '${uuid}'`)
            else await updateComponent(domain(), EVERYWHERE, uuid, { name: one.name }).catch(() => {})
            lasting.delete(uuid)
          }
        }
        const seen = await walk((page) => listComponents(domain(), ANYBODY, {}, page), first, between)
        const uuids = seen.map(({ uuid }) => uuid)
        const kept = uuids.filter((uuid) => lasting.has(uuid))
        expect(kept.toSorted()).toStrictEqual([...lasting].toSorted())
        const added = uuids.filter((uuid) => made.includes(uuid))
        expect(new Set(added).size).toBe(added.length)
      },
    )
    await fc.assert(law, { numRuns: RUNS, endOnFailure: true })
  })

  it('go on to the microsecond, and to the uuid where that is equal', async () => {
    const at = ['000001', '000002', '000002', '000002', '000003', '999999']
    for (const microsecond of at)
      await createEvent(domain(), ANYBODY, {
        eventModel: 'restart',
        system: site.system.uuid,
        at: `2026-01-01T00:00:00.${microsecond}Z`,
      })
    const whole = await listEvents(domain(), ANYBODY, {}, { first: 9, after: null })
    expect(await walk((page) => listEvents(domain(), ANYBODY, {}, page), 1)).toStrictEqual(whole.items)
    await domain().database.script(
      `update records set created_at = to_timestamp(1767225600.000001 + (length(key) / 3) * 0.000001)`,
    )
    for (const direction of ['ASC', 'DESC'] as const) {
      const order = { by: 'CREATED_AT', direction } as const
      const list = (page: PageRequest) =>
        listRecords(domain(), ANYBODY, 'characteristics', { ...page, filter: {}, order })
      const records = await list({ first: 9, after: null })
      expect(await walk(list, 1)).toStrictEqual(records.items)
    }
  })
})
