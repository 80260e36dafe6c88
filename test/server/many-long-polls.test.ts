import { expect, it } from 'vitest'
import { createComponents } from '../../src/platform/systems/components.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { POSTGRES } from '../support/databases.ts'
import { runsOf } from '../support/runs.ts'
import { add } from '../platform/setpoints/support.ts'
import { PENDING, settingServer, valuesOf } from './setting-server.ts'
import { TOKEN, type Answer } from './test-server.ts'

// As many long polls at once as the server allows, of components of their own and of the same ones: in a sample thirty for
// each connection to the database, and otherwise almost as many as a server allows by itself.

const POLLS = runsOf('POLLS', { sample: 300, long: 950 })
const COMPONENTS = POLLS / 2
const SHARED = 25

const served = settingServer(POSTGRES, { waitingPolls: POLLS, waitingPollsOfAccount: POLLS + 1 })
const authorization = `Bearer ${TOKEN}`

/** The component of a poll: half of the polls share a few. */
function placeOf(poll: number): number {
  return poll < COMPONENTS ? poll : poll % SHARED
}

it('hold no connection while they wait, and are all answered', async () => {
  const { context, server, site } = served()
  const [home] = site.systems
  const inputs = Array.from({ length: COMPONENTS }, (_, index) => ({
    system: home,
    componentModel: 'thermostat',
    name: `Room ${index}`,
  }))
  const components = (await createComponents(context, EVERYWHERE, inputs)).map(({ uuid }) => uuid)

  const poll = async (component: string): Promise<Answer> => {
    const path = `${PENDING}?wait=60&component_uuid=${component}`
    const answer = await server.call({ method: 'GET', path, authorization })
    // Those who look whether there is room for one more take its place for a moment.
    const isFull = answer.status === 503 && answer.text.includes('(waitingPolls)')
    // On a slow machine the minute may be over, and a device asks again.
    const isOver = answer.status === 200 && valuesOf(answer).length === 0
    return isFull || isOver ? poll(component) : answer
  }
  const polls = Array.from({ length: POLLS }, (_, index) => poll(components[placeOf(index)] ?? ''))
  const isFull = async (): Promise<boolean> => {
    const path = `${PENDING}?wait=1&component_uuid=${site.boiler}`
    return (await server.call({ method: 'GET', path, authorization })).status === 503
  }
  while (!(await isFull())) continue

  const seen = { used: 0, waiting: 0 }
  for (let turn = 0; turn < 20; turn += 1) {
    const temperature = JSON.stringify([site.element('temperature', turn)])
    const sent = await server.call({ path: '/rest/v1/data-points/add', authorization, body: temperature })
    expect(sent.status).toBe(201)
    expect((await server.graphql('{ systems(first: 5) { nodes { name } } }')).errors).toBeUndefined()
    // Of the polls, one statement a second for all of them together; others are the heartbeat, the clock and the upkeep.
    const { used, waiting } = server.database.load?.() ?? { used: Number.NaN, waiting: Number.NaN }
    seen.used = Math.max(seen.used, used)
    seen.waiting = Math.max(seen.waiting, waiting)
  }
  expect(seen).toStrictEqual({ used: expect.toSatisfy((used: number) => used <= 4) as number, waiting: 0 })

  await add(context, ...components.map((component) => site.element('target', 21, { component })))
  const answers = await Promise.all(polls)
  expect(answers.filter((answer) => answer.status !== 200 || valuesOf(answer)[0] !== 21)).toStrictEqual([])
})
