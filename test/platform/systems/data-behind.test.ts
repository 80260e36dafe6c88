import { beforeEach, describe, expect, it } from 'vitest'
import { encodeChunk } from '../../../src/datapoints/chunks/chunk.ts'
import { encodeSummaries, summarizeHours } from '../../../src/datapoints/chunks/summaries.ts'
import { INT8, TEXT } from '../../../src/db/columns.ts'
import { planRollback } from '../../../src/platform/imports/applying/roll-back.ts'
import { deleteRecord, updateRecord } from '../../../src/platform/records/change-record.ts'
import { findComponent } from '../../../src/platform/systems/components.ts'
import { createEvent, findEvent } from '../../../src/platform/systems/events.ts'
import { findSystem } from '../../../src/platform/systems/systems.ts'
import { readDomain } from '../../../src/store/domains.ts'
import { fetchImpact } from '../../../src/store/datapoints/points/impact.ts'
import { fitMarkdown } from '../../../src/plan/render/markdown/fit-markdown.ts'
import { renderText } from '../../../src/plan/render/text/render-text.ts'
import { NO_SETTINGS } from '../../../src/records/settings.ts'
import type { RecordTypeName } from '../../../src/records/record-type.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { applyAll, plan } from '../../support/domain.ts'
import { changeOf, codesOf, storedRecord } from '../../support/plan-parts.ts'
import { oneDomain } from '../one-domain.ts'
import { ANYBODY, makeSite, MODEL, type Site } from './site.ts'

// Semantics, sections 6 and 8: what hangs on a record, what stops its deletion, and what goes with it.

describe.each(SAMPLED_DATABASES)('what hangs on a record, on $name', (kind) => {
  const domain = oneDomain(kind)
  let site: Site
  beforeEach(async () => {
    site = await makeSite(domain())
  })

  const impactOf = async (type: RecordTypeName, key: string) => {
    const impact = await readDomain(domain().database, domain().domain.id, (sql) =>
      fetchImpact(sql, domain().domain.id, [{ type, key }]),
    )
    return impact.get(`${type}/${key}`) ?? {}
  }

  /** A series with chunks of so many points, as the compaction leaves it. */
  async function storePoints(characteristic: string, service: string, chunks: readonly number[]): Promise<void> {
    const [of, by] = [
      await storedRecord(domain(), 'characteristics', characteristic),
      await storedRecord(domain(), 'services', service),
    ]
    const { database, domain: own } = domain()
    await database.transaction(async (sql) => {
      await sql.script(
        `create table if not exists datapoint_chunks_of_tests partition of datapoint_chunks for values from (0) to (1000)`,
      )
      const [series] = await sql.rows(
        { id: INT8 },
        `insert into series (domain_id, id, system_uuid, component_uuid, service_uuid, characteristic_uuid, value_kind, created_at)
         values ($1, nextval('series_ids'), $2::uuid, $3::uuid, $4::uuid, $5::uuid, 'float', now()) returning id`,
        [own.id, site.system.uuid, site.pump.uuid, by.uuid, of.uuid],
      )
      for (const [t0, count] of chunks.entries()) {
        const at = Float64Array.from({ length: count }, (_, index) => t0 + index)
        const values = new Float64Array(count).fill(95)
        const points = encodeChunk({ at, generation: 1, values }, 'float', { compress: false })
        const summary = encodeSummaries(summarizeHours({ at, values }, 'float'))
        await sql.query(
          `insert into datapoint_chunks (domain_id, series_id, t0, t1, generation, count, last_generation, summary, points)
           values ($1, $2, $3, $3, 1, $4, 1, $5, $6)`,
          [own.id, series?.id ?? 0, t0, count, summary, points],
        )
      }
    })
  }

  const alarm = () =>
    createEvent(domain(), ANYBODY, { eventModel: 'alarm', component: site.pump.uuid, at: '2026-01-02T03:04:05Z' })

  it('is counted for every kind of record', async () => {
    await alarm()
    await storePoints('temperature', 'climate', [600, 4])
    await storePoints('power', 'metering', [])
    expect(await impactOf('organizations', 'acme/eg')).toEqual({ systems: 1 })
    expect(await impactOf('organizations', 'acme')).toEqual({})
    expect(await impactOf('componentModels', 'heat-pump')).toEqual({
      systems: 1,
      components: 1,
      events: 1,
      datapoints: 605,
    })
    expect(await impactOf('componentModels', 'sensor')).toEqual({ systems: 1, components: 1 })
    expect(await impactOf('services', 'climate')).toEqual({ components: 2, datapoints: 604 })
    expect(await impactOf('characteristics', 'temperature')).toEqual({ components: 2, datapoints: 604 })
    // Its points have arrived a moment ago: there is one at least.
    expect(await impactOf('characteristics', 'power')).toEqual({ components: 1, datapoints: 1 })
    expect(await impactOf('eventModels', 'alarm')).toEqual({ events: 1 })
    expect(await impactOf('eventModels', 'restart')).toEqual({})
    expect(await impactOf('characteristicServiceLinks', 'power/metering')).toEqual({ datapoints: 1 })
    expect(await impactOf('characteristicServiceLinks', 'valve/climate')).toEqual({})
    expect(await impactOf('serviceComponentModelLinks', 'climate/heat-pump')).toEqual({ datapoints: 604 })
    expect(await impactOf('serviceComponentModelLinks', 'climate/sensor')).toEqual({})
  })

  it.each<[RecordTypeName, string, string]>([
    ['componentModels', 'sensor', '1 system, 1 component'],
    ['eventModels', 'alarm', '1 event'],
    ['organizations', 'acme/eg', '1 system'],
    ['characteristics', 'valve', '2 components'],
  ])('stops the deletion of %s/%s', async (type, key, counts) => {
    await alarm()
    const rest = (MODEL[type as 'eventModels'] as readonly { code?: string }[]).filter(({ code }) => code !== key)
    const [acme] = MODEL.organizations
    const without = type === 'organizations' ? [{ ...acme, organizationUnits: [] }] : rest
    const links = {
      services: [{ code: 'climate', name: 'Climate', characteristics: [{ code: 'temperature' }] }, MODEL.services[1]],
    }
    const document = { ...MODEL, [type]: without, ...(type === 'characteristics' && links) }
    const change = changeOf(await plan(domain(), document), type, key)
    expect(codesOf(change)).toEqual(['deletes-data'])
    expect(change.guards[0]?.message).toContain(counts)
  })

  it('of values alone decides whether a change invalidates them', async () => {
    const change = async () => {
      const characteristics = MODEL.characteristics.map((one) => ({ ...one, dataType: 'INTEGER' }))
      return changeOf(await plan(domain(), { ...MODEL, characteristics }), 'characteristics', 'temperature')
    }
    expect(codesOf(await change())).toEqual([])
    await storePoints('temperature', 'climate', [7])
    expect((await change()).guards).toMatchObject([
      {
        code: 'invalidates-data',
        message:
          'dataType FLOAT → INTEGER: stored data (about 7 datapoints of 1 system) stays readable as FLOAT; to see it in pages, charts and figures, ask for dataType FLOAT',
      },
    ])
    const narrower = updateRecord(domain(), 'characteristics', 'temperature', { boundaryMax: 90 }, [])
    await expect(narrower).rejects.toMatchObject({ code: 'BLOCKED', details: [{ code: 'invalidates-data' }] })
    await updateRecord(domain(), 'characteristics', 'temperature', { boundaryMax: 90 }, ['invalidates-data'])
  })

  const left = async () => {
    const rows = await domain().database.read((sql) =>
      sql.rows(
        { counts: TEXT },
        `select concat_ws(' ', (select count(*) from series), (select count(*) from datapoint_chunks),
           (select count(*) from events), (select count(*) from unique_metadata)) as counts`,
      ),
    )
    return rows[0]?.counts
  }

  it('goes with a component model: components, their events and their data; the system stays', async () => {
    const { uuid } = await alarm()
    await storePoints('temperature', 'climate', [5, 5])
    await expect(deleteRecord(domain(), 'componentModels', 'heat-pump', [])).rejects.toMatchObject({ code: 'BLOCKED' })
    expect(await left()).toBe('1 2 1 0')
    await deleteRecord(domain(), 'componentModels', 'heat-pump', ['deletes-data'])
    expect(await findComponent(domain(), ANYBODY, site.pump.uuid)).toBeNull()
    expect(await findEvent(domain(), ANYBODY, uuid)).toBeNull()
    expect(await findComponent(domain(), ANYBODY, site.sensor.uuid)).not.toBeNull()
    expect(await findSystem(domain(), ANYBODY, site.system.uuid)).not.toBeNull()
    expect(await left()).toBe('0 0 0 0')
  })

  it('goes with a characteristic, with a service, with an event model', async () => {
    await alarm()
    await storePoints('temperature', 'climate', [5])
    await storePoints('power', 'metering', [5])
    await deleteRecord(domain(), 'characteristics', 'power', ['deletes-data'])
    expect(await left()).toBe('1 1 1 0')
    await deleteRecord(domain(), 'services', 'climate', ['deletes-data'])
    expect(await left()).toBe('0 0 1 0')
    await deleteRecord(domain(), 'eventModels', 'alarm', ['deletes-data'])
    expect(await left()).toBe('0 0 0 0')
  })

  it('stays lost when the deletion is rolled back, and the plan of the roll-back says so wherever it is read', async () => {
    await alarm()
    await storePoints('temperature', 'climate', [5])
    const without = { ...MODEL, componentModels: MODEL.componentModels.filter(({ code }) => code !== 'heat-pump') }
    const { eventModels: events } = MODEL
    const apply = await applyAll(domain(), { ...without, eventModels: events.filter(({ code }) => code === 'alarm') })
    const { plan: inverse } = await planRollback(domain(), apply.uuid, NO_SETTINGS)
    const message =
      'a record comes back without what belonged to it: componentModels/heat-pump (1 component, 1 event, about 5 datapoints)'
    expect(inverse.diagnostics).toStrictEqual([{ severity: 'warning', code: 'data-stays-lost', message, pointer: '' }])
    expect(inverse.outcome).toBe('changes')
    expect(renderText(inverse, { color: false, width: 80, next: null })).toContain(
      `warning data-stays-lost: ${message}`,
    )
    expect(fitMarkdown(inverse).replaceAll('\\', '')).toContain('comes back without what belonged to it')
    // The rollback of an update does not take back a later deletion.
    await applyAll(domain(), { ...without, eventModels: [] })
    const again = await applyAll(domain(), MODEL)
    const renamed = { ...MODEL, eventModels: events.map((one) => ({ ...one, message: 'New' })) }
    const changed = await applyAll(domain(), renamed)
    await deleteRecord(domain(), 'eventModels', 'alarm', ['deletes-data'])
    const [found] = (await planRollback(domain(), changed.uuid, NO_SETTINGS)).plan.diagnostics
    expect(found?.message).toMatch(/the rollback does not create it again: eventModels\/alarm$/)
    // What it deletes itself is told by its guards.
    expect((await planRollback(domain(), again.uuid, NO_SETTINGS)).plan.diagnostics).toStrictEqual([])
  })

  it('does not go with an organization unit: the system belongs to nobody then', async () => {
    const [acme] = MODEL.organizations
    const { uuid } = await applyAll(domain(), { ...MODEL, organizations: [{ ...acme, organizationUnits: [] }] })
    expect(await findSystem(domain(), ANYBODY, site.system.uuid)).toMatchObject({ organizationUnit: null })
    const [found] = (await planRollback(domain(), uuid, NO_SETTINGS)).plan.diagnostics
    expect(found).toMatchObject({ code: 'data-stays-lost', message: expect.stringMatching(/\(1 system\)$/) })
  })

  it('stays when a link goes, and goes on when it comes back', async () => {
    await storePoints('power', 'metering', [5])
    const link = ['characteristicServiceLinks', 'power/metering'] as const
    await expect(deleteRecord(domain(), ...link, [])).rejects.toMatchObject({ details: [{ code: 'strands-data' }] })
    await deleteRecord(domain(), ...link, ['strands-data'])
    expect(await left()).toBe('1 1 0 0')
    await applyAll(domain(), MODEL)
    expect(await impactOf('characteristics', 'power')).toMatchObject({ datapoints: 5 })
  })

  it.each([
    ['characteristics', 'power', 'DEACTIVATED'],
    ['services', 'metering', 'ARCHIVED'],
    ['componentModels', 'heat-pump', 'DEACTIVATED'],
  ] as const)('is stranded where %s/%s becomes %s', async (type, key, status) => {
    await updateRecord(domain(), type, key, { status }, [])
    await updateRecord(domain(), type, key, { status: 'ACTIVATED' }, [])
    await storePoints('power', 'metering', [5])
    const change = updateRecord(domain(), type, key, { status }, [])
    await expect(change).rejects.toMatchObject({
      code: 'BLOCKED',
      details: [
        {
          code: 'strands-data',
          message: `status ACTIVATED → ${status}: new datapoints for it would be refused (${status.toLowerCase()}), each with its whole batch; stored data stays readable: about 5 datapoints of 1 system`,
        },
      ],
    })
    await updateRecord(domain(), type, key, { status }, ['strands-data'])
    await updateRecord(domain(), type, key, { status: status === 'ARCHIVED' ? 'DEACTIVATED' : 'ARCHIVED' }, [])
  })

  it('gives its unique values free when it goes', async () => {
    const metadataKeyValueStore = [{ key: 'ticket', value: 'T-1' }]
    await createEvent(domain(), ANYBODY, { eventModel: 'alarm', component: site.pump.uuid, metadataKeyValueStore })
    await deleteRecord(domain(), 'eventModels', 'alarm', ['deletes-data'])
    await createEvent(domain(), ANYBODY, { eventModel: 'restart', system: site.system.uuid, metadataKeyValueStore })
    expect(await left()).toBe('0 0 1 1')
  })
})
