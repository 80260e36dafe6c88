import type { NewEvent } from '../../../generated/entities.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { updateRecord } from '../../../src/platform/records/change-record.ts'
import type { JsonObject } from '../../../src/lib/json.ts'
import { updateComponent } from '../../../src/platform/systems/components.ts'
import { createEvent, endEvent, findEvent, listEvents } from '../../../src/platform/systems/events.ts'
import type { EntityFilterOf } from '../../../src/records/entity.ts'
import { updateSystem } from '../../../src/platform/systems/systems.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { oneDomain } from '../one-domain.ts'
import { ANYBODY, makeSite, makeSystem, type Site } from './site.ts'

const day = (number: number) => `2026-01-0${number}T00:00:00Z`

describe.each(SAMPLED_DATABASES)('events on $name', (kind) => {
  const domain = oneDomain(kind)
  let site: Site
  beforeEach(async () => {
    site = await makeSite(domain())
  })

  const alarm = (input: Partial<NewEvent> = {}) =>
    createEvent(domain(), ANYBODY, { eventModel: 'alarm', component: site.pump.uuid, ...input })
  const restart = (input: Partial<NewEvent> = {}) =>
    createEvent(domain(), ANYBODY, { eventModel: 'restart', system: site.system.uuid, ...input })
  const JANUARY = Date.UTC(2026, 0, 1) * 1000

  it('a range begins, and ends later', async () => {
    const begun = await alarm({
      at: '2026-01-01T01:00:00.000001+01:00',
      metadataKeyValueStore: [{ key: 'ticket', value: 'T-1' }],
    })
    expect(begun).toMatchObject({
      eventModel: 'alarm',
      eventLevel: 'ERROR',
      message: 'Too hot',
      systemUuid: site.system.uuid,
      componentUuid: site.pump.uuid,
      at: JANUARY + 1,
      endAt: null,
      metadataKeyValueStore: [{ key: 'ticket', value: { string: 'T-1' } }],
      actor: 'tester',
    })
    const ended = await endEvent(domain(), ANYBODY, begun.uuid, '2026-01-01T00:00:01Z')
    expect(ended).toStrictEqual({ ...begun, endAt: JANUARY + 1_000_000 })
    expect(await findEvent(domain(), ANYBODY, begun.uuid)).toStrictEqual(ended)
  })

  it('a range ends once; the same end again is no other', async () => {
    const { uuid } = await alarm({ at: '2026-01-01T00:00:00Z' })
    const end = (at: string | null) => endEvent(domain(), ANYBODY, uuid, at)
    await expect(end('2025-12-31T23:59:59Z')).rejects.toThrow(/cannot end before/)
    const ended = await end('2026-01-02T00:00:00Z')
    expect(await end('2026-01-02T00:00:00Z')).toStrictEqual(ended)
    await expect(end('2026-01-03T00:00:00Z')).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(end(null)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('an event model that becomes another kind is guarded where events were told, and what is open can still be ended', async () => {
    const { uuid } = await alarm({ at: '2026-01-01T00:00:00Z' })
    const change = (patch: JsonObject, allow: readonly string[] = []) =>
      updateRecord(domain(), 'eventModels', 'alarm', patch, allow as never)
    await expect(change({ eventType: 'SINGLE_POINT' })).rejects.toMatchObject({
      code: 'BLOCKED',
      details: [
        {
          code: 'invalidates-data',
          message: 'eventType RANGED → SINGLE_POINT: the ends of earlier events are no longer shown (1 event)',
        },
      ],
    })
    await expect(change({ entityType: 'SYSTEM' })).rejects.toMatchObject({
      details: [{ message: 'entityType COMPONENT → SYSTEM: earlier events stay events of a component (1 event)' }],
    })
    await expect(change({ eventType: 'SINGLE_POINT', entityType: 'SYSTEM' })).rejects.toMatchObject({
      details: [
        { message: expect.stringMatching(/no longer shown; entityType COMPONENT → SYSTEM: .* \(1 event\)$/) as string },
      ],
    })
    await change({ eventType: 'SINGLE_POINT' }, ['invalidates-data'])
    await endEvent(domain(), ANYBODY, uuid, '2026-01-02T00:00:00Z')
    expect((await listEvents(domain(), ANYBODY, { isOpen: true }, { first: 10, after: null })).items).toStrictEqual([])
    await expect(endEvent(domain(), ANYBODY, uuid, null)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
    await change({ entityType: 'SYSTEM' }, ['invalidates-data'])
    await expect(alarm()).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
    expect(await alarm({ uuid, at: '2026-01-01T00:00:00Z' })).toMatchObject({ uuid })
  })

  it('one end of many at once counts', async () => {
    const { uuid } = await alarm({ at: '2026-01-01T00:00:00Z' })
    const ends = [1, 2, 3].map((day) => endEvent(domain(), ANYBODY, uuid, `2026-01-0${day}T00:00:00Z`))
    const outcomes = await Promise.allSettled(ends)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('a single point in time has no end', async () => {
    const { uuid, endAt } = await restart()
    expect(endAt).toBeNull()
    await expect(endEvent(domain(), ANYBODY, uuid, null)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
    await expect(restart({ endAt: '2026-01-01T00:00:00Z' })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
  })

  it('happens where the entityType of its model says', async () => {
    const { uuid } = await makeSystem(domain(), { name: 'Other' })
    await expect(alarm({ component: null, system: uuid })).rejects.toThrow(
      /happen to a component; name the component, with its system or without$/,
    )
    await expect(alarm({ system: uuid })).rejects.toThrow(/not part of/)
    await expect(restart({ component: site.pump.uuid })).rejects.toThrow(
      /happen to a system; name the system, and no component$/,
    )
    await expect(restart({ system: null })).rejects.toThrow(/happen to a system/)
    await expect(restart({ system: site.pump.uuid })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await alarm({ system: site.system.uuid })).toMatchObject({ componentUuid: site.pump.uuid })
  })

  it('happens only where everything is ACTIVATED', async () => {
    await updateComponent(domain(), EVERYWHERE, site.pump.uuid, { status: 'DEACTIVATED' })
    await expect(alarm()).rejects.toThrow(/component .* is DEACTIVATED/)
    await updateRecord(domain(), 'eventModels', 'restart', { status: 'ARCHIVED' }, [])
    await expect(restart()).rejects.toThrow(/is ARCHIVED/)
    await updateSystem(domain(), EVERYWHERE, site.system.uuid, { status: 'ARCHIVED' })
    await expect(alarm({ component: site.sensor.uuid })).rejects.toThrow(/system .* is ARCHIVED/)
  })

  it.each([
    ['a local time', { at: '2026-01-01T00:00:00' }, 'timestamp-format'],
    ['a text of milliseconds', { at: '1772352000000' }, 'timestamp-format'],
    ['a time ahead', { at: '2999-01-01T00:00:00Z' }, 'timestamp-ahead'],
    ['a time before 1970', { at: '1969-12-31T23:59:59Z' }, 'timestamp-too-old'],
  ])('%s is refused by name', async (_, input, code) => {
    await expect(alarm(input)).rejects.toMatchObject({ code: 'BAD_USER_INPUT', details: [{ code }] })
  })

  it('is of a model whose key can be one', async () => {
    const message = expect.stringContaining('the key of an EventModel') as string
    await expect(alarm({ eventModel: 'alarm\0' })).rejects.toMatchObject({ code: 'BAD_USER_INPUT', message })
  })

  it('sent again with its uuid it is answered with the first; another one with that uuid is a conflict', async () => {
    const uuid = crypto.randomUUID()
    const first = await alarm({ uuid, at: '2026-01-01T00:00:00Z' })
    expect(await alarm({ uuid, at: '2026-01-01T00:00:00Z' })).toStrictEqual(first)
    await expect(alarm({ uuid, at: '2026-01-01T00:00:01Z' })).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(restart({ uuid })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('sent again with other content it is a conflict that names what differs', async () => {
    const uuid = crypto.randomUUID()
    const given = { uuid, at: day(1), message: 'Hot', metadataKeyValueStore: [{ key: 'ticket', value: 'T-1' }] }
    const first = await alarm(given)
    const refused = (input: Partial<NewEvent>, message: RegExp) =>
      expect(alarm({ ...given, ...input })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringMatching(message),
      })
    await refused({ endAt: day(2) }, /its endAt differs .* it has not ended: end it by endEvent$/)
    await refused({ message: 'Cold' }, /its message differs/)
    await refused({ metadataKeyValueStore: [{ key: 'ticket', value: 'T-2' }] }, /its metadata "ticket" differs/)
    await refused({ metadataKeyValueStore: [{ key: 'new', value: null }] }, /its metadata "new" differs/)
    await refused({ at: day(3), message: 'Cold' }, /its at and message differ/)
    await refused({ component: site.sensor.uuid }, /its component differs/)
    expect(await findEvent(domain(), ANYBODY, uuid)).toStrictEqual(first)
  })

  it('sent again without what is stored it is the same, also after it was ended', async () => {
    const uuid = crypto.randomUUID()
    const given = { uuid, at: day(1) }
    await alarm({ ...given, message: 'Hot', metadataKeyValueStore: [{ key: 'ticket', value: 'T-1' }] })
    const ended = await endEvent(domain(), ANYBODY, uuid, day(2))
    expect(await alarm(given)).toStrictEqual(ended)
    expect(await alarm({ ...given, endAt: '2026-01-02T01:00:00+01:00' })).toStrictEqual(ended)
    await expect(alarm({ ...given, endAt: day(3) })).rejects.toThrow(/it has ended already, at 2026-01-02T00:00:00/)
  })

  it('sent again it is answered with the first whatever was archived since, within reach', async () => {
    const given = { uuid: crypto.randomUUID(), at: day(1) }
    const first = await alarm(given)
    await updateComponent(domain(), EVERYWHERE, site.pump.uuid, { status: 'ARCHIVED' })
    expect(await alarm(given)).toStrictEqual(first)
    await updateRecord(domain(), 'eventModels', 'alarm', { status: 'ARCHIVED' }, [])
    expect(await alarm(given)).toStrictEqual(first)
    await expect(alarm({ ...given, endAt: day(2) })).rejects.toThrow(/its endAt differs/)
    await expect(alarm({ at: day(1) })).rejects.toThrow(/is ARCHIVED/)
    const elsewhere = { systemUuid: crypto.randomUUID(), units: null }
    const sent = createEvent(domain(), elsewhere, { ...given, eventModel: 'alarm', component: site.pump.uuid })
    await expect(sent).rejects.toThrow(/EventModel "alarm" is ARCHIVED/)
  })

  it('must have its unique metadata for itself', async () => {
    const metadataKeyValueStore = [{ key: 'ticket', value: 'T-1' }]
    await alarm({ metadataKeyValueStore })
    await expect(restart({ metadataKeyValueStore })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('lists have the newest first, page by page, of what was under way in a time', async () => {
    const open = await alarm({ at: day(1) })
    const over = await alarm({ at: day(2), endAt: day(4), component: site.sensor.uuid })
    const point = await restart({ at: day(3) })
    const names = new Map([
      [open.uuid, 'open'],
      [over.uuid, 'over'],
      [point.uuid, 'point'],
    ])
    const list = async (query: EntityFilterOf<'Event'>, first = 9, after: string | null = null) => {
      const { items, total } = await listEvents(domain(), ANYBODY, query, { first, after })
      return [...items.map(({ uuid }) => names.get(uuid)), total]
    }
    expect(await list({})).toEqual(['point', 'over', 'open', 3])
    expect(await list({}, 1, point.uuid)).toEqual(['over', 3])
    expect(await list({ from: day(4) })).toEqual(['over', 'open', 2])
    expect(await list({ from: day(5) })).toEqual(['open', 1])
    expect(await list({ to: day(3) })).toEqual(['over', 'open', 2])
    expect(await list({ from: day(3), to: day(4), eventModels: ['restart'] })).toEqual(['point', 1])
    expect(await list({ isOpen: true })).toEqual(['open', 1])
    expect(await list({ components: [site.sensor.uuid] })).toEqual(['over', 1])
    expect(await list({ levels: ['INFO'], systems: [site.system.uuid] })).toEqual(['point', 1])
  })
})
