import { afterAll, beforeAll, expect, test } from 'vitest'
import { AnswerBudget } from '../../src/platform/answer-budget.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { listApplies, listApplyChanges } from '../../src/platform/imports/history/applies.ts'
import { countingDatabase, type CountingDatabase } from '../support/counting-database.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { makeSite } from '../support/site.ts'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
let database: CountingDatabase
let context: DomainContext
beforeAll(async () => {
  database = countingDatabase(await SAMPLED_DATABASES[0]!.openMigrated())
  server = await startTestServer(database)
  context = { ...server.access[0]!, actorName: 'tester' }
  await makeSite(context)
})
afterAll(() => server.close())

const aliases = (count: number, of: string) => Array.from({ length: count }, (_, index) => `a${index}: ${of}`).join(' ')

async function answerTo(query: string) {
  const before = database.statements.length
  const { json } = await server.call({ path: '/graphql', body: JSON.stringify({ query }) })
  const reads = database.statements.slice(before).filter((text) => text.includes('from apply_changes'))
  return { ...(json as { data?: Record<string, unknown>; errors?: { message: string }[] }), reads: reads.length }
}

test('unpacks the changes of an apply once, however many aliases ask for them', async () => {
  const { data = {}, reads } = await answerTo(`{ applies(first: 1) { nodes { ${aliases(50, 'changes')} } } }`)
  const [apply] = (data['applies'] as { nodes: Record<string, unknown[]>[] }).nodes
  expect(apply?.['a49']).toEqual(apply?.['a0'])
  expect(apply?.['a0']).not.toHaveLength(0)
  expect(reads).toBe(1)
})

test('unpacks no changes that do not fit into the answer', async () => {
  const [apply] = await listApplies(context, 1, null)
  const changes = await listApplyChanges(context, apply!.uuid)
  const bytes = Buffer.byteLength(JSON.stringify(changes.map(({ patch: _, ...change }) => change)))
  const budget = new AnswerBudget(2 * bytes - 1)
  await expect(listApplyChanges(context, apply!.uuid, budget)).resolves.toEqual(changes)
  await expect(listApplyChanges(context, apply!.uuid, budget)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
})

test('makes one plan, export or apply for a request', async () => {
  const { errors } = await answerTo('{ one: importDocument two: importDocument }')
  expect(errors?.[0]?.message).toContain('it asks for 2 plans, exports or applies, and a request may ask for one')
})

test('counts the characteristics that components support', async () => {
  const fields = 'serviceUuid service serviceName characteristic characteristicName dataType symbol'
  const { data = {} } = await answerTo(`{ components { nodes { supports { ${fields} } } } }`)
  const [component] = (data['components'] as { nodes: { supports: object[] }[] }).nodes
  expect(component?.supports).toContainEqual(
    expect.objectContaining({
      service: 'room',
      serviceName: 'Room',
      characteristic: 'percent',
      dataType: 'FLOAT',
      symbol: null,
    }),
  )
})
