import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ANSWERS, isSetpointState, NEXT_STATES } from '../../../src/datapoints/setpoint-state.ts'
import { textOf, UUID } from '../../../src/db/columns.ts'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import { ChangeSignals } from '../../../src/platform/change-signals.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { expireSetpoints } from '../../../src/platform/setpoints/expire-setpoints.ts'
import { setSetpoints } from '../../../src/platform/setpoints/set-setpoints.ts'
import { createPostgresDatabase, ANY_DATABASE } from '../../support/databases.ts'
import { makeDomain } from '../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { notedChanges } from '../../support/noted-changes.ts'
import { makeSettingSite, type SettingSite } from '../../support/setting-site.ts'
import { add, allSetpoints, answer, ANYBODY, take } from './support.ts'
import { runsOf } from '../../support/runs.ts'

// Whatever happens in whatever order, in two processes at once: never two unfinished setpoints of one series, what is
// final stays so, and every step is one of those that are allowed. A trigger writes each step down.

const SERIES = ['target', 'limit'] as const

interface Setting {
  readonly does: 'set' | 'add' | 'report'
  readonly series: (typeof SERIES)[number]
  readonly value: number
  readonly expiresIn: number
}
type Step =
  | Setting
  | { readonly does: 'answer'; readonly which: number; readonly state: (typeof ANSWERS)[number] }
  | { readonly does: 'take' | 'expire' }
  | { readonly does: 'wait'; readonly seconds: number }

const STEP: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    does: fc.constantFrom('set' as const, 'add' as const, 'report' as const),
    series: fc.constantFrom(...SERIES),
    value: fc.integer({ min: 10, max: 11 }),
    expiresIn: fc.integer({ min: 0, max: 3 }),
  }),
  fc.record({ does: fc.constant('answer' as const), which: fc.nat(9), state: fc.constantFrom(...ANSWERS) }),
  fc.record({ does: fc.constantFrom('take' as const, 'expire' as const) }),
  fc.record({ does: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 2 }) }),
)

/** What is done at once, one after the other. */
const STORY = fc.array(fc.array(STEP, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 10 })

interface Places {
  readonly processes: readonly Database[]
  close(): Promise<void>
}

const KINDS: readonly (readonly [string, () => Promise<Places>])[] = [
  [
    'PGlite',
    async () => {
      const database = await ANY_DATABASE.openMigrated()
      return { processes: [database, database], close: () => database.close() }
    },
  ],
  [
    'PostgreSQL with two processes',
    async () => {
      const { url, drop } = await createPostgresDatabase(MIGRATED_TEMPLATE)
      const open = () => openPostgres(url, { maxConnections: 4 })
      const processes = [await open(), await open()]
      return { processes, close: () => Promise.all(processes.map((one) => one.close())).then(drop) }
    },
  ],
]

describe.each(KINDS)('the states of setpoints on %s', (_, open) => {
  let places: Places
  let contexts: readonly DomainContext[]
  let datapoints: readonly Datapoints[]
  let site: SettingSite
  let moment = Date.parse('2026-01-02T12:00:00Z')

  beforeAll(async () => {
    places = await open()
    const [first] = places.processes
    if (first === undefined) throw new Error('there is no database')
    const domain = await makeDomain(first)
    contexts = places.processes.map((database) => ({ ...domain, database, now: () => new Date(moment) }))
    datapoints = contexts.map((context) => new Datapoints({ ...context, isAlone: false }))
    site = await makeSettingSite(domain)
    await first.script(TRIGGER)
  })
  afterAll(async () => {
    for (const one of datapoints) await one.close()
    await places.close()
  })

  const doStep = async (step: Step, process: number, known: readonly string[]): Promise<void> => {
    const context = contexts[process]
    if (context === undefined) return
    if (step.does === 'wait') moment += step.seconds * 1_000
    if (step.does === 'take') await take(context, site.systems[0])
    if (step.does === 'expire') await expireSetpoints({ ...context, changes: new ChangeSignals() })
    if (step.does === 'answer') await answer(context, { uuid: known[step.which % known.length], state: step.state })
    if (step.does === 'add') await add(context, site.element(step.series, step.value), site.element('pump', true))
    if (step.does === 'report') {
      const who = { domainId: context.domain.id, actor: 'device', systemUuid: null, units: null }
      await datapoints[process]?.ingest.add(who, [site.element(step.series, step.value)])
    }
    if (step.does === 'set') {
      const { series: characteristic, value, expiresIn } = step
      const components = [{ component: site.thermostats[0], service: 'heating', characteristic, value }]
      const expiry = expiresIn === 0 ? {} : { expiresIn: `PT${expiresIn}S` }
      await setSetpoints(context, ANYBODY, { components, models: [], ...expiry })
    }
  }

  it('never two unfinished ones of one series, no step that is not allowed, and no end to what is final', async () => {
    const [context] = contexts
    if (context === undefined) throw new Error('there is no process')
    const { database } = context
    await fc.assert(
      fc.asyncProperty(STORY, async (story) => {
        await database.script('delete from setpoints; delete from setpoint_steps; delete from outbox')
        const finals = new Map<string, string>()
        for (const steps of story) {
          const known = (await allSetpoints(context)).map(({ uuid }) => uuid)
          await Promise.all(steps.map((step, index) => doStep(step, index % 2, known)))
          const all = await allSetpoints(context)
          const open = all.filter(({ state }) => NEXT_STATES[state].length > 0)
          expect(new Set(open.map(({ characteristic }) => characteristic)).size).toBe(open.length)
          for (const { uuid, state } of all) {
            expect(state).toBe(finals.get(uuid) ?? state)
            if (NEXT_STATES[state].length === 0) finals.set(uuid, state)
          }
        }
        const steps = await database.rows(
          { uuid: UUID, before: textOf(isSetpointState), after: textOf(isSetpointState) },
          'select uuid, before, after from setpoint_steps',
        )
        expect(steps.filter(({ before, after }) => !NEXT_STATES[before].includes(after))).toEqual([])
        const changed = [...(await allSetpoints(context)), ...steps].map(({ uuid }) => uuid)
        expect((await notedChanges(database, 'setpoints')).toSorted()).toEqual(changed.toSorted())
      }),
      { numRuns: runsOf('LAW_RUNS', { sample: 8, long: 60 }) },
    )
  })
})

const TRIGGER = `
  create table setpoint_steps (uuid uuid, before text, after text);
  grant insert on setpoint_steps to holdfast_domain;
  create function note_step() returns trigger language plpgsql as $$
    begin
      insert into setpoint_steps values (new.uuid, old.state, new.state);
      return new;
    end $$;
  create trigger note_step after update on setpoints for each row execute function note_step()`
