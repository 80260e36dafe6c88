import { counted, nameSome } from '../../../lib/counted.ts'
import type { DriftCount } from '../../../store/model/drift.ts'
import type { RefusedDatapoint } from '../../../platform/datapoints/refused/list-refused.ts'
import type { Arrivals } from '../../../platform/systems/list-arrivals.ts'
import type { Setpoint } from '../../../platform/setpoints/setpoint.ts'
import type { Event } from '../../../platform/systems/events.ts'
import { html, type Html } from '../../../server/html.ts'
import type { Sign } from '../../parts/sign.ts'
import { signOf } from '../systems/events.ts'

/** A problem that needs a person's attention. */
export interface Need {
  readonly sign: Sign
  readonly what: Html
  readonly where: Html | null
  readonly since: Date
}

/** The state of the platform as far as the person may read it, and the links of systems. */
export interface Known {
  readonly arrivals: Arrivals
  readonly open: readonly Event[]
  readonly refused: readonly RefusedDatapoint[]
  readonly waiting: readonly Setpoint[]
  readonly drift: DriftCount | null
  readonly systemLink: (uuid: string | null, part?: string) => Html | null
  /** The name of the sender of rejected datapoints that named no known system. */
  readonly senderOf: (sender: string | null) => string | null
}

/** The maximum number of rows of one kind. One more row counts the others. */
const MOST_OF_KIND = 5

/** Sorts by severity, then by start, the latest first. */
export function needsOf(known: Known): readonly Need[] {
  const needs = [...silence(known), ...events(known), ...refusals(known), ...setpoints(known), ...drift(known)]
  return needs.sort((one, other) => worth(one) - worth(other) || other.since.getTime() - one.since.getTime())
}

function worth({ sign }: Need): number {
  return sign === 'needs' ? 0 : sign === 'failed' ? 1 : 2
}

function silence({ arrivals, systemLink }: Known): readonly Need[] {
  const { silent, systems } = arrivals
  const listed = systems.filter(({ isSilent }) => isSilent).slice(0, MOST_OF_KIND)
  const needs = listed.map(({ systemUuid, lastAt }): Need => ({
    sign: 'needs',
    what: html`Sends nothing<span class="under">its last datapoint came then</span>`,
    where: systemLink(systemUuid, '/analyse'),
    since: lastAt,
  }))
  const others = silent.count - listed.length
  if (others <= 0 || silent.first === null) return needs
  const which = `${silent.hasMore ? 'More than ' : ''}${counted(others, listed.length === 0 ? 'system' : 'other system')}`
  const what = html`${which} ${others === 1 ? 'sends' : 'send'} nothing any more`
  return [...needs, { sign: 'needs', what, where: html`<a href="/systems">Systems</a>`, since: silent.first }]
}

/** Urgent events. All other events are in another list. */
function events({ open, systemLink }: Known): readonly Need[] {
  const bad = open.filter(isBad)
  return bad.slice(0, 2 * MOST_OF_KIND).map((event) => ({
    sign: signOf(event.eventLevel),
    what: html`${event.message ?? event.eventModel}<code class="under">${event.eventModel}</code>`,
    where: systemLink(event.systemUuid, '/events'),
    since: new Date(event.at / 1_000),
  }))
}

export function isBad({ eventLevel }: Event): boolean {
  return signOf(eventLevel) === 'needs'
}

function refusals({ refused, systemLink, senderOf }: Known): readonly Need[] {
  const groups = Map.groupBy(refused, ({ systemUuid, code }) => `${systemUuid} ${code}`)
  return [...groups.values()].slice(0, 2 * MOST_OF_KIND).map((some) => ({
    sign: 'failed',
    what: html`${counted(
        some.reduce((sum, { count }) => sum + count, 0),
        'datapoint',
      )}
      refused<code class="under">${some[0]?.code}</code>`,
    where: systemLink(some[0]?.systemUuid ?? null, '/refused') ?? unknownSystem(some, senderOf),
    since: new Date(Math.min(...some.map(({ firstAt }) => firstAt.getTime()))),
  }))
}

/** Rejected datapoints that name no known system. The row shows their sender, because there is no system to link to. */
function unknownSystem(some: readonly RefusedDatapoint[], senderOf: Known['senderOf']): Html {
  const senders = [...new Set(some.flatMap(({ sender }) => senderOf(sender) ?? []))]
  return html`no known
  system${senders.length === 0 ? null : html`<span class="under">sent by ${nameSome(senders, 2)}</span>`}`
}

function setpoints({ waiting, systemLink }: Known): readonly Need[] {
  return waiting.slice(0, MOST_OF_KIND).map(({ characteristic, value, state, systemUuid, createdAt }) => ({
    sign: 'move',
    what: html`<code>${characteristic}</code> is set to <span class="mono">${JSON.stringify(value)}</span>
      <span class="under"
        >${state === 'PENDING' ? 'the device has not asked for it yet' : 'sent, and not answered yet'}</span
      >`,
    where: systemLink(systemUuid, '/setpoints'),
    since: createdAt,
  }))
}

function drift({ drift: found }: Known): readonly Need[] {
  if (found === null || found.count === 0 || found.since === null) return []
  const { count, hasMore, since, actor } = found
  const what = html`${hasMore ? 'More than ' : ''}${counted(count, 'record')} ${count === 1 ? 'differs' : 'differ'} from
    Git<span class="under">first changed by ${actor}</span>`
  return [{ sign: 'update', what, where: html`<a href="/drift">Drift</a>`, since }]
}
