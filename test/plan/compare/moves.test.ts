import { describe, expect, test } from 'vitest'
import type { Move } from '../../../src/records/settings.ts'
import { examples } from '../../support/example-records.ts'
import { effects, findings } from '../../support/plan-parts.ts'
import { planAgainst } from '../plan-against.ts'

const characteristics = (...names: readonly string[]) => ({ characteristics: examples('characteristics', names) })
const move = (from: string, to: string): Move => ({ type: 'characteristics', from, to })

describe('an entry of moved that cannot be done blocks the plan', () => {
  test.each([
    ['the old key is still described', ['a'], ['a', 'b'], [move('a', 'b')], 'still describes'],
    ['the new key is not described', ['a'], [], [move('a', 'b')], 'does not describe'],
    ['two records would get one key', ['a', 'b'], ['c'], [move('a', 'c'), move('b', 'c')], 'another entry'],
    ['one record would get two keys', ['a'], ['b', 'c'], [move('a', 'b'), move('a', 'c')], 'another entry'],
    ['a key becomes itself', ['a'], ['a'], [move('a', 'a')], 'the same key'],
    ['keys are exchanged', ['a', 'b'], ['a', 'b'], [move('a', 'b'), move('b', 'a')], 'ring'],
  ])('%s', async (_, live, wanted, moved, says) => {
    const planned = await planAgainst(characteristics(...live), characteristics(...wanted), { settings: { moved } })
    expect(planned.outcome).toBe('blocked')
    const [finding] = planned.diagnostics.filter(({ severity }) => severity === 'error')
    expect(finding?.code).toBe('impossible-move')
    expect(finding?.message).toContain(says)
  })

  test('the record type is not managed', async () => {
    const planned = await planAgainst(
      characteristics('a'),
      {},
      { settings: { moved: [move('a', 'b')] }, managed: new Map() },
    )
    expect(findings(planned)).toEqual(['impossible-move'])
  })
})

describe('an entry of moved does nothing', () => {
  test('where the old key is not on the platform', async () => {
    const planned = await planAgainst({}, characteristics('b'), { settings: { moved: [move('a', 'b')] } })
    expect({ effects: effects(planned), findings: findings(planned) }).toEqual({
      effects: ['create characteristics/b'],
      findings: [],
    })
  })

  test('where both keys are on the platform: what the document leaves out is deleted, and the plan says so', async () => {
    const settings = { moved: [move('a', 'b')] }
    const planned = await planAgainst(characteristics('a', 'b'), characteristics('b'), { settings })
    expect(effects(planned)).toEqual(['delete characteristics/a'])
  })

  test('where the next key of a chain is taken: no record is pushed aside', async () => {
    const settings = { moved: [move('a', 'b'), move('b', 'c')] }
    const planned = await planAgainst(characteristics('a', 'b', 'c'), characteristics('b', 'c'), { settings })
    expect(effects(planned)).toEqual(['delete characteristics/a'])
  })
})

const proposed = (plan: Awaited<ReturnType<typeof planAgainst>>) =>
  plan.diagnostics
    .filter(({ code }) => code === 'looks-like-move')
    .map(({ message, severity }) => ({ message, severity }))

const roomTemperature = (code: string) => ({
  characteristics: [
    { code, name: 'Temperature', symbol: '°C', characteristicType: 'MEASUREMENT', dataType: 'FLOAT', precision: 1 },
  ],
})

const links = (name: string) => ({
  ...characteristics('a', 'b'),
  services: examples('services', ['climate']),
  characteristicServiceLinks: examples('characteristicServiceLinks', [name]),
})

function alike(...names: readonly string[]) {
  return {
    characteristics: names.map((code) => ({ code, name: 'Same', characteristicType: 'SETTING', dataType: 'TIME' })),
  }
}

describe('a deletion and a creation that are nearly equal', () => {
  test('propose the entry of moved that keeps the identity, and block nothing', async () => {
    const planned = await planAgainst(roomTemperature('temp'), roomTemperature('room-temperature'))
    expect(planned.outcome).toBe('changes')
    expect(proposed(planned)).toEqual([
      {
        severity: 'warning',
        message: expect.stringContaining(
          'moved: [{type: characteristics, from: temp, to: room-temperature}]',
        ) as string,
      },
    ])
  })

  test('propose an entry that YAML reads as texts', async () => {
    const planned = await planAgainst(roomTemperature('null'), roomTemperature('1.5'))
    expect(proposed(planned)).toEqual([
      expect.objectContaining({ message: expect.stringContaining('from: "null", to: "1.5"}') as string }),
    ])
  })

  test('propose nothing where the bodies differ', async () => {
    const live = {
      characteristics: [{ code: 'a', name: 'A', symbol: 'm', characteristicType: 'SETTING', dataType: 'STRING' }],
    }
    expect(proposed(await planAgainst(live, characteristics('b')))).toEqual([])
  })

  test('propose nothing for links: they are nothing but their ends', async () => {
    expect(proposed(await planAgainst(links('a'), links('b')))).toEqual([])
  })

  test('are proposed once each', async () => {
    const planned = await planAgainst(alike('a', 'b'), alike('c', 'd'))
    expect(proposed(planned)).toHaveLength(2)
    expect(new Set(proposed(planned).map(({ message }) => message.split('to: ').at(-1)))).toHaveLength(2)
  })
})

test('an entry that names no record at all is a warning', async () => {
  const users = { users: [{ email: 'ada@example.org' }] }
  const entry = { type: 'users' as const, from: 'Ada@Example.org', to: 'Grace@Example.org' }
  const plan = await planAgainst(users, users, { settings: { moved: [entry] } })
  expect(plan.diagnostics).toMatchObject([{ severity: 'warning', code: 'meaningless-move' }])
})
