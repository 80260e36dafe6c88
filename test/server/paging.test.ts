import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { deleteRecord, updateRecord } from '../../src/platform/records/change-record.ts'
import { createComponents, updateComponent } from '../../src/platform/systems/components.ts'
import { createEvent } from '../../src/platform/systems/events.ts'
import { updateSystem } from '../../src/platform/systems/systems.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { countingDatabase, type CountingDatabase } from '../support/counting-database.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { applyAll } from '../support/domain.ts'
import { ANYBODY, makeSite, makeSystem, MODEL, type Site } from '../platform/systems/site.ts'
import { contextOf, startTestServer, type TestServer } from './test-server.ts'

// Lists go on after a place: whatever becomes of the row that was there, the next page has what follows.

const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${10 + index}`)

interface Listed {
  readonly nodes: readonly { readonly uuid: string }[]
  readonly edges: readonly { readonly cursor: string }[]
  readonly pageInfo: { readonly startCursor: string | null; readonly endCursor: string | null }
  readonly totalCount: number
}

const query = (list: string, args: string): string =>
  `{ listed: ${list}(${args}) { nodes { uuid } edges { cursor } pageInfo { startCursor endCursor } totalCount } }`
const TYPES: { readonly [list: string]: string } = {
  systems: 'System',
  components: 'Component',
  events: 'Event',
  setpoints: 'Setpoint',
  refusedDatapoints: 'RefusedDatapoint',
}
const afterLastOf = ({ pageInfo }: Listed): string => `after: "${pageInfo.endCursor}"`

describe.each(SAMPLED_DATABASES)('the next page on $name', ({ openMigrated }) => {
  let server: TestServer
  let context: DomainContext
  let site: Site
  let database: CountingDatabase
  beforeEach(async () => {
    database = countingDatabase(await openMigrated())
    server = await startTestServer(database)
    const access = contextOf(server)
    context = { ...access, actorName: 'test' }
    site = await makeSite(context)
  })
  afterEach(() => server.close())

  const page = async (list: string, args: string): Promise<Listed> =>
    (await server.data<{ listed: Listed }>(query(list, args))).listed
  const refusal = async (list: string, args: string) => {
    const { errors } = await server.graphql(query(list, args))
    return errors?.map(({ message, extensions }) => [extensions?.['code'], message])
  }

  const components = (count: number) =>
    createComponents(
      context,
      EVERYWHERE,
      numbers(count).map((name) => ({ system: site.system.uuid, componentModel: 'sensor', name })),
    )
  const alarm = (second: number, eventModel = 'alarm') =>
    createEvent(context, ANYBODY, {
      eventModel,
      component: site.pump.uuid,
      at: `2026-01-01T00:00:${10 + second}.000000Z`,
    })

  it.each(['systems', 'components', 'events', 'setpoints', 'refusedDatapoints'])(
    'of %s is counted only where the count is selected, in whatever way',
    async (list) => {
      await makeSystem(context, { name: 'another' })
      const counts = async (selection: string, isCounted = false) => {
        const since = database.statements.length
        await server.data(
          `query ($isCounted: Boolean!) { ${list}(first: 1) { ${selection} } } fragment F on ${TYPES[list]}Connection { n: totalCount }`,
          { isCounted },
        )
        return database.statements.slice(since).filter((text) => text.includes('count(*)')).length
      }
      expect(await counts('...F @include(if: $isCounted) pageInfo { hasNextPage }')).toBe(0)
      expect(await counts('...F @include(if: $isCounted) pageInfo { hasNextPage }', true)).toBe(1)
    },
  )

  it('of components and systems has the rest where the last row was renamed', async () => {
    await components(18)
    const first = await page('components', 'first: 5')
    await updateComponent(context, EVERYWHERE, first.nodes[4]?.uuid ?? '', { name: 'zzz' })
    const rest = await page('components', `first: 50, ${afterLastOf(first)}`)
    expect([first.totalCount, rest.nodes.length]).toStrictEqual([20, 16])
    for (const name of numbers(9)) await makeSystem(context, { name })
    const systems = await page('systems', 'first: 5')
    await updateSystem(context, EVERYWHERE, systems.nodes[4]?.uuid ?? '', { name: 'zzz' })
    expect((await page('systems', `first: 50, ${afterLastOf(systems)}`)).nodes).toHaveLength(5 + 1)
  })

  it('of events has the rest where the last one is gone with its model', async () => {
    await applyAll(context, {
      ...MODEL,
      eventModels: [...MODEL.eventModels, { ...MODEL.eventModels[0], code: 'leak' }],
    })
    for (let second = 0; second < 10; second++) await alarm(second, second === 5 ? 'leak' : 'alarm')
    const first = await page('events', 'first: 5')
    await deleteRecord(context, 'eventModels', 'leak', ['deletes-data'])
    expect((await page('events', `first: 50, ${afterLastOf(first)}`)).nodes).toHaveLength(5)
  })

  it.each(['KEY', 'CREATED_AT', 'UPDATED_AT'])('of records by %s has the rest where the last is gone', async (by) => {
    const services = numbers(10).map((code) => ({ code, name: code, characteristics: [{ code: 'power' }] }))
    await applyAll(context, { ...MODEL, services: [...MODEL.services, ...services] })
    const all = await page('services', `orderBy: { by: ${by} }`)
    const first = await page('services', `first: 5, orderBy: { by: ${by} }`)
    const { recordKey } = await server
      .data<{ services: { nodes: { recordKey: string }[] } }>(
        `{ services(first: 5, orderBy: { by: ${by} }) { nodes { recordKey } } }`,
      )
      .then(({ services: { nodes } }) => nodes.at(-1) ?? { recordKey: '' })
    await deleteRecord(context, 'services', recordKey, ['deletes-data'])
    const rest = await page('services', `first: 50, orderBy: { by: ${by} }, ${afterLastOf(first)}`)
    expect(rest.nodes).toStrictEqual(all.nodes.slice(5))
  })

  it('of records by the time of their last change has the rest where the last was changed', async () => {
    const order = 'orderBy: { by: UPDATED_AT }'
    const first = await page('characteristics', `first: 2, ${order}`)
    const { characteristics } = await server.data<{ characteristics: { nodes: { recordKey: string }[] } }>(
      `{ characteristics(first: 2, ${order}) { nodes { recordKey } } }`,
    )
    await updateRecord(context, 'characteristics', characteristics.nodes[1]?.recordKey ?? '', { name: 'New' }, [])
    expect((await page('characteristics', `${order}, ${afterLastOf(first)}`)).nodes).toHaveLength(2)
  })

  it('begins after each cursor of a page, and a page has the cursors of its ends', async () => {
    await components(8)
    const all = await page('components', 'first: 10')
    const cursors = all.edges.map(({ cursor }) => cursor)
    expect(all.pageInfo).toStrictEqual({ startCursor: cursors[0], endCursor: cursors[9] })
    for (const [index, after] of cursors.entries()) {
      const rest = await page('components', `after: "${after}"`)
      expect(rest.nodes).toStrictEqual(all.nodes.slice(index + 1))
    }
  })

  it('follows a uuid, which was a cursor once, as long as it is there', async () => {
    await components(8)
    const { nodes } = await page('components', 'first: 10')
    const uuid = nodes[4]?.uuid ?? ''
    expect((await page('components', `after: "${uuid.toUpperCase()}"`)).nodes).toStrictEqual(nodes.slice(5))
    for (const list of ['systems', 'events', 'setpoints', 'refusedDatapoints', 'services', 'grants']) {
      const message = `the item of the cursor ${uuid} is no longer in this list; start again without \`after\``
      expect([list, await refusal(list, `after: "${uuid}"`)]).toStrictEqual([list, [['BAD_USER_INPUT', message]]])
    }
  })

  it('is of the list and the order that its cursor is of', async () => {
    await components(2)
    await alarm(1)
    const NONE = [
      ['BAD_USER_INPUT', 'after is no cursor of this list; give the endCursor of its last page, or leave it out'],
    ]
    const ofComponents = afterLastOf(await page('components', 'first: 2'))
    for (const list of ['systems', 'events', 'setpoints', 'refusedDatapoints', 'services', 'grants'])
      expect([list, await refusal(list, ofComponents)]).toStrictEqual([list, NONE])
    const ofServices = afterLastOf(await page('services', 'first: 1'))
    for (const args of ['orderBy: { by: KEY, direction: DESC }', 'orderBy: { by: CREATED_AT }'])
      expect(await refusal('services', `${ofServices}, ${args}`)).toStrictEqual(NONE)
    const held = JSON.parse(Buffer.from(ofComponents.slice(8, -1), 'base64url').toString()) as unknown[]
    const [list, order, name, uuid] = held
    for (const forged of [
      [list, order, name],
      [list, order, 7, uuid],
      [list, order, 'a\0', uuid],
      [list, order, name, 'none'],
      [list, order, name, uuid, 1],
      { list },
      null,
    ]) {
      const after = Buffer.from(JSON.stringify(forged)).toString('base64url')
      expect(await refusal('components', `after: "${after}"`)).toStrictEqual(NONE)
    }
    for (const text of ['', 'x', 'bnVsbA', '💧'])
      expect(await refusal('events', `after: "${text}"`)).toStrictEqual(NONE)
  })
})
