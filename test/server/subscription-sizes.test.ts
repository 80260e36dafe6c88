import { afterEach, beforeAll, expect, it } from 'vitest'
import { applyAll } from '../support/domain.ts'
import { makeSite, SITE_MODEL, type Site } from '../support/site.ts'
import { NO_SETTINGS } from '../../src/records/settings.ts'
import { follow, type Followed } from './follow.ts'
import { TOKEN } from './test-server.ts'
import { context, server, useServer } from './one-server.ts'

// What long texts do to those who follow them, and to everybody else.

const NOON = 1_760_000_000_000

interface NewDatapoints {
  readonly cursor: string
  readonly datapoints: readonly { readonly value: unknown }[]
}

let site: Site
const open: Followed<unknown>[] = []

useServer()
beforeAll(async () => {
  site = await makeSite(context)
})
afterEach(() => {
  for (const one of open.splice(0)) one.stop()
})

async function begin(query: string, variables: Record<string, unknown> = {}): Promise<Followed<NewDatapoints>> {
  const followed = follow<NewDatapoints>(server, query, { token: TOKEN, variables })
  open.push(followed)
  await followed.until((changes) => changes.length > 0)
  return followed
}

async function send(...points: readonly unknown[]): Promise<void> {
  const answer = await server.call({ path: '/rest/v1/data-points/add', body: JSON.stringify(points) })
  expect(answer.status).toBe(201)
}

const valuesOf = ({ changes }: Followed<NewDatapoints>) =>
  changes.map(({ datapoints }) => datapoints.map(({ value }) => value))

it('a message that would be too long to be written ends its stream by name, and nothing else', async () => {
  const aliases = Array.from({ length: 400 }, (_, index) => `v${index}: value`).join(' ')
  const [greedy, other] = [
    await begin(`subscription { datapoints { cursor datapoints { ${aliases} } } }`),
    await begin('subscription { datapoints { cursor datapoints { value } } }'),
  ]
  await send(site.point('note', 'x'.repeat(2_000_000), NOON))
  await greedy.ended
  expect(greedy.results.at(-1)?.errors).toMatchObject([
    {
      message:
        'a message of this stream would have more than 67,108,864 characters; ask for fewer fields, and for each of them once',
      extensions: { code: 'LIMIT_EXCEEDED' },
    },
  ])
  await other.until((changes) => changes.length > 1)
  expect((await server.call({ method: 'GET', path: '/healthz' })).status).toBe(200)
})

it('long texts come in several messages', async () => {
  const followed = await begin('subscription { datapoints { cursor datapoints { value } } }')
  const texts = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(400_000))
  await send(...texts.map((text, index) => site.point('note', text, NOON + index)))
  await followed.until((changes) => changes.flatMap(({ datapoints }) => datapoints).length === texts.length)
  expect(valuesOf(followed).flat()).toStrictEqual(texts)
  expect(valuesOf(followed).map(({ length }) => length)).toStrictEqual([0, 2, 2, 1])
})

it('a query that selects a field very often gets fewer items in each message', async () => {
  const aliases = Array.from({ length: 399 }, (_, index) => `v${index}: value`).join(' ')
  const followed = await begin(`subscription { datapoints { cursor datapoints { ${aliases} } } }`)
  await send(...Array.from({ length: 120 }, (_, index) => site.point('count', index, NOON + index)))
  await followed.until((changes) => changes.flatMap(({ datapoints }) => datapoints).length === 120)
  expect(valuesOf(followed).map(({ length }) => length)).toStrictEqual([0, 50, 50, 20])
})

it('what is followed by its key is followed under its next one too', async () => {
  const query = `subscription ($services: [String!], $characteristics: [String!]) {
    datapoints(services: $services, characteristics: $characteristics) { cursor datapoints { value } }
  }`
  const followed = await begin(query, { services: ['room'], characteristics: ['count'] })
  const renamed = JSON.parse(
    JSON.stringify(SITE_MODEL).replaceAll('"count"', '"tally"').replaceAll('"room"', '"hall"'),
  ) as object
  await applyAll(context, renamed, {
    ...NO_SETTINGS,
    moved: [
      { type: 'characteristics', from: 'count', to: 'tally' },
      { type: 'services', from: 'room', to: 'hall' },
    ],
  })
  await send(site.point('count', 5, NOON))
  await followed.until((changes) => changes.flatMap(({ datapoints }) => datapoints).length > 0)
  expect(valuesOf(followed).flat()).toStrictEqual([5])
})

it('a filter that names nothing is refused, since nothing would ever come', async () => {
  const followed = follow(server, 'subscription { datapoints(components: []) { cursor } }', { token: TOKEN })
  open.push(followed)
  await followed.ended
  expect(followed.results.at(-1)?.errors).toMatchObject([
    { message: 'components names nothing, so nothing would ever be sent; name some, or leave it out' },
  ])
})
