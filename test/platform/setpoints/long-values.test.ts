import { beforeEach, describe, expect, it } from 'vitest'
import { MOST_ANSWER_BYTES } from '../../../src/platform/answer-budget.ts'
import { findSetpoint, listSetpoints } from '../../../src/platform/setpoints/list-setpoints.ts'
import { setSetpoints } from '../../../src/platform/setpoints/set-setpoints.ts'
import { SETPOINT_LIMITS } from '../../../src/platform/setpoints/setpoint.ts'
import { ANY_DATABASE } from '../../support/databases.ts'
import { makeSettingSite, type SettingSite } from '../../support/setting-site.ts'
import { oneDomain } from '../one-domain.ts'
import { add, answer, ANYBODY, take } from './support.ts'

const page = { first: 100, after: null, isOldestFirst: true }

function textOf(bytes: number): string {
  return 'x'.repeat(bytes)
}

describe('setpoints with long values', () => {
  const domain = oneDomain(ANY_DATABASE)
  let site: SettingSite
  beforeEach(async () => {
    site = await makeSettingSite(domain())
  })

  it('are refused in a list where they do not fit into its answer, and are found one by one', async () => {
    const text = textOf(MOST_ANSWER_BYTES / 2)
    await add(domain(), site.element('schedule', text))
    const { items } = await listSetpoints(domain(), ANYBODY, {}, page)
    const uuid = items[0]?.uuid ?? ''
    expect(items[0]?.value === text).toBe(true)
    await add(domain(), site.element('schedule', text, { component: site.thermostats[1] }))
    await expect(listSetpoints(domain(), ANYBODY, {}, page)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('the answer would have more than 33,554,432 bytes') as string,
    })
    expect((await findSetpoint(domain(), ANYBODY, uuid))?.value === text).toBe(true)
  })

  it('are listed with their beginnings where only these are shown, and short ones as they are', async () => {
    await add(domain(), site.element('schedule', { text: textOf(10_000) }), site.element('target', 21))
    const { items } = await listSetpoints(domain(), ANYBODY, {}, { ...page, hasBeginnings: true })
    const values = new Map(items.map(({ characteristic, value }) => [characteristic, value]))
    expect(values.get('target')).toBe(21)
    expect(values.get('schedule')).toBe(JSON.stringify({ text: textOf(10_000) }).slice(0, 1_000))
  })

  it('are given to a device in parts, of which each follows the one that it has acknowledged', async () => {
    const [home] = site.systems
    const elements = [site.thermostats[0], site.thermostats[1], site.boiler].map((component) =>
      site.element('schedule', textOf(SETPOINT_LIMITS.givenBytes / 2 - 10), { component }),
    )
    for (const element of elements) await add(domain(), element)
    const given = await take(domain(), home)
    expect(given).toHaveLength(2)
    await answer(domain(), ...given.map(({ uuid }) => ({ uuid, state: 'ACKNOWLEDGED' })))
    expect((await take(domain(), home)).map(({ componentUuid }) => componentUuid)).toEqual([site.boiler])
  })

  it('are given to a device alone, where one is longer than a part', async () => {
    await add(domain(), site.element('schedule', textOf(SETPOINT_LIMITS.givenBytes + 1)))
    await add(domain(), site.element('target', 21, { component: site.thermostats[1] }))
    const [home] = site.systems
    const [long, ...others] = await take(domain(), home)
    expect([long?.characteristic, others.length]).toEqual(['schedule', 0])
    await answer(domain(), { uuid: long?.uuid, state: 'ACKNOWLEDGED' })
    expect((await take(domain(), home)).map(({ value }) => value)).toEqual([21])
  })

  it('are not set for more components than fit into the answer, and are then read once', async () => {
    let reads = 0
    const value = {
      get text() {
        reads += 1
        return textOf(MOST_ANSWER_BYTES / 2 - 11)
      },
    }
    const models = [{ componentModel: 'thermostat', service: 'heating', characteristic: 'schedule', value }]
    await expect(setSetpoints(domain(), ANYBODY, { components: [], models })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringMatching(
        /^the values of all setpoints have 50,331,648 bytes together.*name fewer/,
      ) as string,
    })
    expect(reads).toBe(1)
  })
})
