import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/db/sql.ts'
import type { Change } from '../../../src/plan/plan.ts'
import { applyImport } from '../../../src/platform/imports/applying/apply-import.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { planImport } from '../../../src/platform/imports/planning/plan-import.ts'
import { NO_SETTINGS } from '../../../src/records/settings.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { acknowledging, applyAll, makeDomain, plan } from '../../support/domain.ts'
import { changeOf } from '../../support/plan-parts.ts'
import { makeSystem, type Site } from '../../support/site.ts'

// What a change of a definition means is for the stored values to say.

const NOON = Date.UTC(2026, 2, 28, 12)
const DAY = 86_400_000
const options = (...keys: readonly string[]) => keys.map((key) => ({ key, label: key }))

const DEFINITIONS = {
  heat: { dataType: 'FLOAT', symbol: '°F' },
  count: { dataType: 'INTEGER' },
  mode: { dataType: 'SELECT', options: options('x', 'y', 'z') },
  doc: { dataType: 'JSON' },
  note: { dataType: 'STRING' },
  from: { dataType: 'DATE' },
} as const
type Code = keyof typeof DEFINITIONS

function model(changed: { readonly [code in Code]?: object } = {}, without: { link?: Code; service?: boolean } = {}) {
  const codes = Object.keys(DEFINITIONS) as Code[]
  return {
    characteristics: codes.map((code) => ({
      code,
      name: code,
      characteristicType: 'MEASUREMENT',
      ...DEFINITIONS[code],
      ...changed[code],
    })),
    services: [
      {
        code: 'room',
        name: 'Room',
        characteristics: codes.filter((code) => code !== without.link).map((code) => ({ code })),
      },
    ],
    componentModels: [
      {
        code: 'sensor',
        name: 'Sensor',
        componentType: 'DEVICE',
        services: without.service === true ? [] : [{ code: 'room' }],
      },
    ],
  }
}

describe.each(SAMPLED_DATABASES)('on $name', ({ openMigrated }) => {
  let database: Database
  let context: DomainContext
  let datapoints: Datapoints
  let domains = 0
  let sites: readonly [Site<Code>, Site<Code>]
  beforeAll(async () => {
    database = await openMigrated()
    datapoints = new Datapoints({ ...(await makeDomain(database)), isAlone: true, limits: { leastOfChunk: 1 } })
  })
  beforeEach(async () => {
    context = await makeDomain(database, `domain-${++domains}`)
    await applyAll(context, model())
    const named = { model: 'sensor', name: 'Sensor' }
    sites = [await makeSystem(context, named, 2), await makeSystem(context, named, 1)]
  })
  afterAll(async () => {
    await datapoints.close()
    await database.close()
  })

  async function store(code: Code, values: readonly unknown[], at = NOON, site: 0 | 1 = 0): Promise<void> {
    const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
    const elements = values.map((value, index) => sites[site].point(code, value, at + index * 1000))
    expect(await datapoints.ingest.add(who, elements)).toMatchObject({ errorCount: 0 })
  }

  const fold = () => datapoints.compactor.compact()

  async function changed(code: Code, definition: object): Promise<Change> {
    return changeOf(await plan(context, model({ [code]: definition })), 'characteristics', code)
  }

  const guardsOf = async (code: Code, definition: object) =>
    (await changed(code, definition)).guards.map((guard) => `${guard.code}: ${guard.message}`)

  const VALUES: { readonly [code in Code]?: readonly unknown[] } = {
    heat: [21, 20.5],
    count: ['9007199254740993', 7],
    mode: ['x', 'y'],
    doc: [{ a: 1 }, 7],
    from: ['2026-03-01'],
  }

  const CASES: readonly (readonly [Code, object, string | null])[] = [
    ['heat', { boundaryMax: 1000 }, null],
    ['heat', { boundaryMax: 20.9 }, 'boundaryMax is new: 1 stored datapoint of 1 system would no longer fit'],
    ['heat', { boundaryStep: 0.5 }, null],
    ['heat', { boundaryStep: 2 }, 'boundaryStep is new: 2 stored datapoints of 1 system would no longer fit'],
    // It is for showing.
    ['heat', { precision: 0 }, null],
    ['mode', { options: options('x', 'y') }, null],
    ['mode', { options: options('x', 'z') }, 'option y removed: 1 stored datapoint of 1 system would no longer fit'],
    ['mode', { multiple: true }, 'multiple is changed: 2 stored datapoints of 1 system would no longer fit'],
    ['doc', { schema: { type: ['object', 'number'] } }, null],
    ['doc', { schema: { type: 'object' } }, 'schema is changed: 1 stored datapoint of 1 system would no longer fit'],
    ['from', { boundaryMin: '2026-03-01' }, null],
    ['from', { boundaryMin: '2026-03-02' }, 'boundaryMin is new: 1 stored datapoint of 1 system would no longer fit'],
    ['count', { boundaryMax: '9007199254740993' }, null],
    [
      'count',
      { boundaryMax: 9007199254740991 },
      'boundaryMax is new: 1 stored datapoint of 1 system would no longer fit',
    ],
  ]

  it('only values that would not fit stop a change, folded or not', async () => {
    for (const [code, values] of Object.entries(VALUES)) await store(code as Code, values)
    const found = async () => {
      const guards = []
      for (const [code, definition] of CASES) guards.push(await guardsOf(code, definition))
      return guards.flat()
    }
    const expected = CASES.flatMap(([, , message]) => (message === null ? [] : [`invalidates-data: ${message}`]))
    expect(await found()).toEqual(expected.map((message) => message.replace(/(?=\d stored)/, 'at least ')))
    await fold()
    expect(await found()).toEqual(expected)
  })

  it('counts the points and systems of chunks, blocks and hot rows, each time once, and names the first three', async () => {
    await store('heat', [50, 10, 60], NOON - DAY)
    await fold()
    await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    await store('heat', [70], NOON, 1)
    await fold()
    // Written over: what was wrong is right now, and what was right is wrong.
    await store('heat', [5, 99], NOON - DAY)
    await store('heat', [80, 20])
    const { guards, impact } = await changed('heat', { boundaryMax: 30 })
    const [one, other] = sites.map(({ systemUuid }) => systemUuid)
    const component = expect.any(String) as string
    expect(guards).toEqual([
      {
        code: 'invalidates-data',
        acknowledged: false,
        message: 'boundaryMax is new: at least 4 stored datapoints of 2 systems would no longer fit',
        examples: [
          { at: '2026-03-27T12:00:01.000Z', value: '99', system: one, component },
          { at: '2026-03-27T12:00:02.000Z', value: '60', system: one, component },
          {
            at: '2026-03-28T12:00:00.000Z',
            value: expect.stringMatching(/^[78]0$/) as string,
            system: expect.any(String) as string,
            component,
          },
        ],
      },
    ])
    expect(other).not.toBe(one)
    expect(impact).toEqual({ components: 3, datapoints: 6 })
  })

  it('values that did not fit before are nobody’s loss', async () => {
    await store('heat', [21, 10])
    await applyAll(context, model({ heat: { boundaryMax: 15 } }))
    expect(await guardsOf('heat', { boundaryMax: 12 })).toEqual([])
  })

  it('another unit, and another dataType, are said of all that is stored', async () => {
    await store('heat', [70, 71]).then(fold)
    expect(await guardsOf('heat', { symbol: '°C' })).toEqual([
      'relabels-data: symbol "°F" → "°C": stored data (2 datapoints of 1 system) keeps its values and would be read in the other unit',
    ])
    expect(await guardsOf('heat', { dataType: 'INTEGER' })).toEqual([
      'invalidates-data: dataType FLOAT → INTEGER: stored data (about 2 datapoints of 1 system) stays readable as FLOAT; to see it in pages, charts and figures, ask for dataType FLOAT',
    ])
    await store('note', ['x', 'warm']).then(fold)
    expect(await guardsOf('note', { dataType: 'SELECT', options: options('x') })).toEqual([
      'invalidates-data: dataType STRING → SELECT: stored data (2 datapoints of 1 system) is read as SELECT from then on; 1 stored datapoint of 1 system would not fit',
    ])
  })

  it('a point that was sent again counts once', async () => {
    for (let times = 0; times < 3; times++) await store('heat', [70]).then(fold)
    expect((await guardsOf('heat', { symbol: '°C' })).join()).toContain('(1 datapoint of 1 system)')
  })

  it('a link with data behind it does not go without a word', async () => {
    await store('heat', [70])
    const message =
      'new datapoints for it would be refused (not-supported), each with its whole batch; stored data stays readable: about 1 datapoint of 1 system'
    const link = changeOf(await plan(context, model({}, { link: 'heat' })), 'characteristicServiceLinks', 'heat/room')
    expect(link.guards).toMatchObject([{ code: 'strands-data', message }])
    const service = await plan(context, model({}, { service: true }))
    const [guard] = changeOf(service, 'serviceComponentModelLinks', 'room/sensor').guards
    expect(guard).toMatchObject({ code: 'strands-data', message })
    // Nothing was ever sent for this one.
    const unused = await plan(context, model({}, { link: 'doc' }))
    expect(changeOf(unused, 'characteristicServiceLinks', 'doc/room').guards).toEqual([])
    // The data goes with the service, which says so.
    const gone = await plan(context, { ...model({}, { service: true }), services: [] })
    expect(changeOf(gone, 'services', 'room').guards).toMatchObject([
      { code: 'deletes-data', message: '3 components, about 1 datapoint belong to it; status: ARCHIVED keeps it' },
    ])
    expect(changeOf(gone, 'characteristicServiceLinks', 'heat/room').guards).toEqual([])
  })

  it('a reader without the right to read data sees counts, and no times or values', async () => {
    await store('heat', [77.25])
    const document = model({ heat: { boundaryMax: 20 } })
    const reader = { readsModel: true, readsData: false }
    const { plan: shown } = await planImport(context, document, NO_SETTINGS, reader)
    expect(changeOf(shown, 'characteristics', 'heat').guards).toEqual([
      {
        code: 'invalidates-data',
        acknowledged: false,
        message: 'boundaryMax is new: at least 1 stored datapoint of 1 system would no longer fit',
      },
    ])
    expect(JSON.stringify(shown)).not.toContain('77.25')
    const refused: unknown = await applyImport(context, {
      document,
      settings: NO_SETTINGS,
      plan: shown,
      origin: {},
    }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'BLOCKED', details: [{ code: 'invalidates-data', key: 'heat' }] })
    expect(JSON.stringify(refused)).not.toContain('77.25')
  })

  it('what arrives between plan and apply is seen by the apply, and changes no digest', async () => {
    await store('heat', [10])
    const document = model({ heat: { boundaryMax: 20 } })
    const reviewed = await plan(context, document)
    expect(reviewed.outcome).toBe('changes')
    await store('heat', [25], NOON + DAY)
    for (const again of [false, true]) {
      if (again) await fold()
      const apply = applyImport(context, { document, settings: NO_SETTINGS, plan: reviewed, origin: {} })
      await expect(apply).rejects.toMatchObject({ code: 'BLOCKED', details: [{ code: 'invalidates-data' }] })
    }
    const now = await plan(context, document)
    expect(now).toMatchObject({ outcome: 'blocked', digest: reviewed.digest })
    await applyImport(context, { document, settings: acknowledging(now), plan: reviewed, origin: {} })
  })

  /** How many statements a plan takes. */
  async function costs(definitions: Parameters<typeof model>[0]): Promise<number> {
    const counting = countingDatabase(database)
    const { plan: made } = await planImport({ ...context, database: counting }, model(definitions), NO_SETTINGS)
    expect(made.outcome).toBe('blocked')
    return counting.statements.length
  }

  it('costs as many statements for one change as for all', async () => {
    for (const code of ['heat', 'note', 'count'] as const) await store(code, [code === 'note' ? 'x' : 7])
    const select = { dataType: 'SELECT', options: options('y') }
    const one = await costs({ note: select })
    expect(await costs({ heat: { boundaryMax: 1 }, count: { boundaryMax: 1 }, note: select })).toBe(one)
  })

  const applying = async (definition: object, ...codes: readonly string[]) => {
    const document = model({ heat: definition })
    const acknowledge = codes.map((code) => ({ code, type: 'characteristics' as const, key: 'heat' }))
    const settings = { ...NO_SETTINGS, acknowledge }
    return applyImport(context, { document, settings, plan: await plan(context, document, settings), origin: {} })
  }

  it('is not looked at where it is acknowledged', async () => {
    await store('heat', [7, 8])
    const both = { boundaryMax: 9, symbol: '°C' }
    await expect(applying(both, 'invalidates-data')).rejects.toMatchObject({
      code: 'BLOCKED',
      details: [{ code: 'relabels-data' }],
    })
    await expect(applying(both, 'invalidates-data', 'relabels-data')).resolves.toMatchObject({ recorded: true })
  })

  it('is not looked at any further for somebody who has left, but for an apply it is', async () => {
    await store('heat', [7])
    const gone = { ...context, left: AbortSignal.abort() }
    const document = model({ heat: { boundaryMax: 9 } })
    await expect(planImport(gone, document, NO_SETTINGS)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    const reviewed = await plan(context, document)
    const apply = applyImport(gone, { document, settings: NO_SETTINGS, plan: reviewed, origin: {} })
    await expect(apply).resolves.toMatchObject({ recorded: true })
  })
})
