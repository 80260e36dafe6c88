import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Plan } from '../../../src/plan/plan.ts'
import type { Move } from '../../../src/records/settings.ts'
import { modelArbitrary, mutationArbitrary } from '../../support/random-model.ts'
import { runsOf } from '../../support/runs.ts'
import { planAgainst } from '../plan-against.ts'
import type { Model } from '../../support/valid-model.ts'
import { lostMembers, namedMembers } from './lost-members.ts'
import { renamesArbitrary } from './renamed-model.ts'

const temperature = { code: 'temperature', name: 'T', characteristicType: 'MEASUREMENT', dataType: 'FLOAT' }
const mode = {
  code: 'mode',
  name: 'M',
  characteristicType: 'SETTING',
  dataType: 'SELECT',
  options: ['comfort', 'eco', 'off'].map((key) => ({ key, label: key })),
}
const control = { code: 'control', name: 'C', characteristics: [{ code: 'temperature' }, { code: 'mode' }] }
const thermostat = { code: 'thermostat', name: 'T', componentType: 'DEVICE', services: [{ code: 'control' }] }
const valve = { ...thermostat, code: 'valve' }
const window = { code: 'window', eventType: 'RANGED', entityType: 'COMPONENT' }
const serial = { key: 'serial', entityType: 'COMPONENT', dataType: 'STRING' }

const LIVE = {
  characteristics: [temperature, mode],
  services: [control],
  componentModels: [thermostat, valve],
  eventModels: [window],
  metadataTypes: [serial],
}

async function breaksOf(edit: object, moved: readonly Move[] = []): Promise<Plan['breaks']> {
  return (await planAgainst(LIVE, { ...LIVE, ...edit }, { settings: { moved } })).breaks
}

const BOTH = { type: 'componentModels', keys: ['thermostat', 'valve'] }

describe('a plan names what apps with generated types lose', () => {
  test.each([
    [
      'an option',
      { characteristics: [temperature, { ...mode, options: [mode.options[0]] }] },
      `no longer 'eco', 'off'`,
    ],
    [
      'single values',
      { characteristics: [temperature, { ...mode, multiple: true }] },
      `'comfort' | 'eco' | 'off' → list of 'comfort' | 'eco' | 'off'`,
    ],
    [
      'the kind of values',
      { characteristics: [temperature, { ...mode, dataType: 'INTEGER', options: [] }] },
      `'comfort' | 'eco' | 'off' → number | string`,
    ],
    [
      'that it can be set',
      { characteristics: [temperature, { ...mode, characteristicType: 'MEASUREMENT' }] },
      `type 'SETTING' → 'MEASUREMENT'`,
    ],
    [
      'a characteristic of a service',
      { services: [{ ...control, characteristics: [{ code: 'temperature' }] }] },
      'removed',
    ],
    [
      'a characteristic',
      { characteristics: [temperature], services: [{ ...control, characteristics: [{ code: 'temperature' }] }] },
      'removed',
    ],
  ])('%s', async (_, edit, change) => {
    expect(await breaksOf(edit)).toEqual({ count: 1, members: [{ ...BOTH, member: 'control/mode', change }] })
  })

  test.each([
    [
      'a service',
      { componentModels: [thermostat, { ...valve, services: [] }] },
      { type: 'componentModels', keys: ['valve'], member: 'control/*', change: 'removed' },
    ],
    [
      'a component model',
      { componentModels: [thermostat] },
      { type: 'componentModels', keys: ['valve'], change: 'removed' },
    ],
    ['an event model', { eventModels: [] }, { type: 'eventModels', keys: ['window'], change: 'removed' }],
    [
      'the kind of an event',
      { eventModels: [{ ...window, eventType: 'SINGLE_POINT', eventLevel: 'ERROR' }] },
      {
        type: 'eventModels',
        keys: ['window'],
        change: `eventLevel 'INFO' → 'ERROR', eventType 'RANGED' → 'SINGLE_POINT'`,
      },
    ],
    [
      'a metadata type',
      { metadataTypes: [] },
      { type: 'metadataTypes', keys: ['COMPONENT/serial'], change: 'removed' },
    ],
    [
      'the type of metadata',
      { metadataTypes: [{ ...serial, dataType: 'FLOAT' }] },
      { type: 'metadataTypes', keys: ['COMPONENT/serial'], change: 'string → number' },
    ],
  ])('%s', async (_, edit, member) => {
    expect(await breaksOf(edit)).toEqual({ count: 1, members: [member] })
  })

  test.each<[string, object, Move, object]>([
    [
      'a characteristic',
      {
        characteristics: [temperature, { ...mode, code: 'programme', options: [mode.options[0]] }],
        services: [{ ...control, characteristics: [{ code: 'temperature' }, { code: 'programme' }] }],
      },
      { type: 'characteristics', from: 'mode', to: 'programme' },
      { ...BOTH, member: 'control/mode', change: `renamed to control/programme, no longer 'eco', 'off'` },
    ],
    [
      'a service',
      {
        services: [{ ...control, code: 'room' }],
        componentModels: [thermostat, valve].map((one) => ({ ...one, services: [{ code: 'room' }] })),
      },
      { type: 'services', from: 'control', to: 'room' },
      { ...BOTH, member: 'control/*', change: 'renamed to room/*' },
    ],
    [
      'a component model',
      { componentModels: [thermostat, { ...valve, code: 'trv' }] },
      { type: 'componentModels', from: 'valve', to: 'trv' },
      { type: 'componentModels', keys: ['valve'], change: 'renamed to trv' },
    ],
  ])('the name of %s', async (_, edit, move, member) => {
    expect(await breaksOf(edit, [move])).toEqual({ count: 1, members: [member] })
  })

  test.each([
    [
      'a new option',
      { characteristics: [temperature, { ...mode, options: [...mode.options, { key: 'boost', label: 'B' }] }] },
    ],
    [
      'other names, boundaries and statuses',
      { characteristics: [{ ...temperature, name: 'X', boundaryMin: 0, status: 'ARCHIVED' }, mode] },
    ],
    ['a new component model', { componentModels: [thermostat, valve, { ...valve, code: 'new' }] }],
    ['an index', { componentModels: [thermostat, { ...valve, services: [{ code: 'control', index: 3 }] }] }],
  ])('and not %s', async (_, edit) => {
    expect(await breaksOf(edit)).toBeUndefined()
  })
})

test('a whole number that may become a text is another type', async () => {
  const count = { ...temperature, dataType: 'INTEGER', boundaryMin: 0, boundaryMax: 9 }
  const live = { ...LIVE, characteristics: [count, mode] }
  const { boundaryMax: _, ...open } = count
  const { breaks } = await planAgainst(live, { ...LIVE, characteristics: [{ ...open, boundaryMax: null }, mode] })
  expect(breaks?.members).toEqual([{ ...BOTH, member: 'control/temperature', change: 'number → number | string' }])
})

test('a member that vanishes is named once, although its characteristic gets another type, too', async () => {
  const comfort = { code: 'comfort', name: 'C', characteristics: [{ code: 'temperature' }] }
  const offered = { componentModels: [{ ...valve, services: [{ code: 'control' }, { code: 'comfort' }] }] }
  const live = { ...LIVE, ...offered, services: [control, comfort] }
  const { breaks } = await planAgainst(live, {
    ...live,
    characteristics: [{ ...temperature, dataType: 'STRING' }, mode],
    services: [control, { ...comfort, characteristics: [] }],
  })
  const ofValve = { type: 'componentModels', keys: ['valve'] }
  expect(breaks?.members).toEqual([
    { ...ofValve, member: 'comfort/temperature', change: 'removed' },
    { ...ofValve, member: 'control/temperature', change: 'number → string' },
  ])
})

test('services and characteristics are named by themselves where no component model tells of them', async () => {
  const live = { ...LIVE, componentModels: [{ ...thermostat, services: [] }] }
  const without = { ...live, services: [{ ...control, characteristics: [{ code: 'mode' }] }] }
  expect((await planAgainst(live, without)).breaks?.members).toEqual([
    { type: 'services', keys: ['control'], member: 'control/temperature', change: 'removed' },
  ])
  const unused = { ...LIVE, characteristics: [...LIVE.characteristics, { ...temperature, code: 'unused' }] }
  expect((await planAgainst(unused, LIVE)).breaks?.members).toEqual([
    { type: 'characteristics', keys: ['unused'], change: 'removed' },
  ])
})

test('a service without values is no loss of a component model', async () => {
  const empty = { ...LIVE, services: [{ ...control, characteristics: [] }] }
  expect((await planAgainst(empty, { ...empty, componentModels: [] })).breaks?.members).toHaveLength(2)
  const offered = { ...empty, componentModels: [thermostat, { ...valve, services: [] }] }
  expect((await planAgainst(empty, offered)).breaks).toBeUndefined()
})

test('a rename hides no other loss', async () => {
  const trv = { ...valve, code: 'trv' }
  const edit = { characteristics: [{ ...temperature, dataType: 'STRING' }, mode], componentModels: [thermostat, trv] }
  expect((await breaksOf(edit, [{ type: 'componentModels', from: 'valve', to: 'trv' }]))?.members).toEqual([
    { type: 'componentModels', keys: ['valve'], change: 'renamed to trv' },
    { ...BOTH, member: 'control/temperature', change: 'number → string' },
  ])
  const room = {
    characteristics: [{ ...temperature, dataType: 'STRING' }, mode],
    services: [{ ...control, code: 'room', characteristics: [{ code: 'temperature' }] }],
    componentModels: [thermostat, valve].map((one) => ({ ...one, services: [{ code: 'room' }] })),
  }
  expect((await breaksOf(room, [{ type: 'services', from: 'control', to: 'room' }]))?.members).toEqual([
    { ...BOTH, member: 'control/*', change: 'renamed to room/*' },
    { ...BOTH, member: 'control/mode', change: 'removed' },
    { ...BOTH, member: 'control/temperature', change: 'number → string' },
  ])
})

test('breaks are counted beyond the first, and so are the records of one', async () => {
  const codes = Array.from({ length: 1_001 }, (_, index) => `e${1_000 + index}`)
  const live = {
    ...LIVE,
    eventModels: codes.map((code) => ({ ...window, code })),
    componentModels: codes.slice(0, 7).map((code) => ({ ...thermostat, code })),
  }
  const wanted = {
    ...live,
    eventModels: [],
    characteristics: [temperature, { ...mode, dataType: 'STRING', options: [] }],
  }
  const { breaks } = await planAgainst(live, wanted)
  expect(breaks?.count).toBe(1_002)
  expect(breaks?.members).toHaveLength(1_000)
  expect(breaks?.members[0]).toMatchObject({ keys: codes.slice(0, 5), count: 7, member: 'control/mode' })
})

test('the digest of a plan does not depend on them', async () => {
  const edit = { ...LIVE, eventModels: [] }
  const { digest, breaks } = await planAgainst(LIVE, edit)
  const other = { ...LIVE, eventModels: [{ ...window, eventLevel: 'INFO' }] }
  expect(breaks).toBeDefined()
  expect((await planAgainst(other, edit)).digest).toBe(digest)
})

test('the platform is asked about records that lose something, and about no others', async () => {
  const asked: unknown[] = []
  const plan = async (edit: object) => {
    asked.length = 0
    await planAgainst(LIVE, { ...LIVE, ...edit }, { onReferrers: (keys) => void asked.push(...keys) })
    return asked
  }
  expect(await plan({ characteristics: [{ ...temperature, name: 'X' }, mode], eventModels: [] })).toEqual([
    { type: 'eventModels', key: 'window' },
  ])
  expect(await plan({ characteristics: [{ ...temperature, dataType: 'STRING' }, mode] })).toEqual([
    { type: 'characteristics', key: 'temperature' },
    { type: 'services', key: 'control' },
  ])
})

const without = ({ applicationConsumers: _, machineUsers: __, ...model }: Model) => model

const RUNS = runsOf('BREAK_RUNS', { sample: 150, long: 3_000 })

test(
  'every member of the types that a random plan takes away is named, and no other',
  { timeout: 300_000 },
  async () => {
    const pair = modelArbitrary().chain((first) => {
      const before = without(first)
      return mutationArbitrary(before)
        .chain((wanted) => renamesArbitrary(before, without(wanted)))
        .map(({ model, moved }) => ({ before, wanted: model, moved }))
    })
    const seen: string[] = []
    await fc.assert(
      fc.asyncProperty(pair, async ({ before, wanted, moved }) => {
        fc.pre(wanted.metadataTypes !== undefined || before.metadataTypes === undefined)
        const plan = await planAgainst(before, wanted, { settings: { moved } })
        const expected = lostMembers(before, plan)
        seen.push(...expected.values().map((losses) => losses.join()))
        expect(namedMembers(before, plan)).toEqual(expected)
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
    expect(seen.length).toBeGreaterThan(RUNS)
    expect(new Set(seen)).toEqual(new Set(['gone', 'renamed', 'retyped', 'renamed,retyped']))
  },
)
