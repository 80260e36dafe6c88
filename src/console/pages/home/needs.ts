import { counted } from '../../../lib/counted.ts'
import { driftList } from '../../../platform/imports/drift.ts'
import { listRefusedDatapoints, type RefusedDatapoint } from '../../../platform/datapoints/refused/list-refused.ts'
import { listSetpoints } from '../../../platform/setpoints/list-setpoints.ts'
import type { Setpoint } from '../../../platform/setpoints/setpoint.ts'
import { listEvents, type Event } from '../../../platform/systems/events.ts'
import { listSystems } from '../../../platform/systems/systems.ts'
import { html, type Html } from '../../../server/login/html.ts'
import type { Visit } from '../../page.ts'
import type { Sign } from '../../parts/sign.ts'
import { signOf } from '../systems/events.ts'
import { withRight } from '../../visit-right.ts'

/** Something that somebody should look at. */
export interface Need {
  readonly sign: Sign
  readonly what: Html
  readonly where: Html | null
  readonly since: Date
}

const DAY_MS = 86_400_000
const MOST = { first: 200, after: null } as const

export interface Needs {
  /** The worst first, then what began last. */
  readonly needs: readonly Need[]
  /** Whether there is more of some kind than was looked at. */
  readonly hasMore: boolean
}

/** What needs somebody, as far as the person may know of it. */
export async function listNeeds(visit: Visit): Promise<Needs> {
  const [data, model] = [withRight(visit, 'data:read'), withRight(visit, 'model:read')]
  const ofData = data === null ? { needs: [], hasMore: false } : await needsOfData(data)
  const needs = [...ofData.needs, ...(model === null ? [] : await needsOfModel(model))]
  return {
    needs: needs.sort((one, other) => worth(one) - worth(other) || other.since.getTime() - one.since.getTime()),
    hasMore: ofData.hasMore,
  }
}

function worth({ sign }: Need): number {
  return sign === 'needs' ? 0 : sign === 'failed' ? 1 : 2
}

async function needsOfData({ context, actor, now }: Visit): Promise<Needs> {
  const from = new Date(now.getTime() - DAY_MS).toISOString()
  const open = await listEvents(context, actor, { isOpen: true }, MOST)
  const refused = await listRefusedDatapoints(context, actor, { from }, MOST)
  const waiting = await listSetpoints(
    context,
    actor,
    { states: ['PENDING', 'SENT', 'ACKNOWLEDGED'] },
    { ...MOST, isOldestFirst: true },
  )
  const uuids = [...open.items, ...refused.items, ...waiting.items].map(({ systemUuid }) => systemUuid)
  const known = [...new Set(uuids)].filter((uuid) => uuid !== null)
  const systems = known.length === 0 ? [] : (await listSystems(context, actor, { uuids: known }, MOST)).items
  const names = new Map(systems.map(({ uuid, name }) => [uuid, name]))
  const systemLink = (uuid: string | null, part = '') =>
    uuid === null ? null : html`<a href="/systems/${uuid}${part}">${names.get(uuid) ?? uuid}</a>`
  const needs = [
    ...open.items.map((event) => ofEvent(event, systemLink(event.systemUuid, '/events'))),
    ...[...Map.groupBy(refused.items, ({ systemUuid, code }) => `${systemUuid} ${code}`).values()].map((some) =>
      ofRefused(some, systemLink(some[0]?.systemUuid ?? null, '/refused')),
    ),
    ...waiting.items.map((setpoint) => ofSetpoint(setpoint, systemLink(setpoint.systemUuid, '/setpoints'))),
  ]
  return { needs, hasMore: open.hasNext || refused.hasNext || waiting.hasNext }
}

function ofEvent({ message, eventModel, eventLevel, at }: Event, where: Html | null): Need {
  return {
    sign: signOf(eventLevel),
    what: html`${message ?? eventModel}<code class="under">${eventModel}</code>`,
    where,
    since: new Date(at / 1_000),
  }
}

function ofRefused(some: readonly RefusedDatapoint[], where: Html | null): Need {
  const count = some.reduce((sum, one) => sum + one.count, 0)
  return {
    sign: 'failed',
    what: html`${counted(count, 'datapoint')} refused<code class="under">${some[0]?.code}</code>`,
    where,
    since: new Date(Math.min(...some.map(({ firstAt }) => firstAt.getTime()))),
  }
}

function ofSetpoint({ characteristic, value, state, createdAt }: Setpoint, where: Html | null): Need {
  return {
    sign: 'move',
    what: html`<code>${characteristic}</code> shall be <span class="mono">${JSON.stringify(value)}</span>
      <span class="under"
        >${state === 'PENDING' ? 'the device has not asked for it yet' : 'sent, and not answered yet'}</span
      >`,
    where,
    since: createdAt,
  }
}

async function needsOfModel({ context, caller, now }: Visit): Promise<readonly Need[]> {
  if (!caller.rights.has('model:read')) return []
  const { outline } = await driftList(context)
  if (outline.size === 0) return []
  const what = html`${counted(outline.size, 'record')} ${outline.size === 1 ? 'differs' : 'differ'} from Git`
  return [{ sign: 'update', what, where: html`<a href="/drift">Drift</a>`, since: now }]
}
