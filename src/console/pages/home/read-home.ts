import { countRefused, listRefusedDatapoints, senderNames } from '../../../platform/datapoints/refused/list-refused.ts'
import { driftCount } from '../../../platform/imports/history/drift.ts'
import { listSetpoints } from '../../../platform/setpoints/list-setpoints.ts'
import type { RefusedSince } from '../../../store/datapoints/arriving/refused-datapoints.ts'
import { listEvents } from '../../../platform/systems/events.ts'
import { listArrivals } from '../../../platform/systems/list-arrivals.ts'
import { listSystems } from '../../../platform/systems/systems.ts'
import { html, type Html } from '../../../server/html.ts'
import type { Visit } from '../../page.ts'
import { withRight } from '../../visit-right.ts'
import type { Known } from './needs.ts'

export const SHOWN_SYSTEMS = 12
const DAY_MS = 86_400_000
/** Counts stop here, because exact larger numbers are rarely useful and slow to compute. */
export const MOST_COUNTED = 1_000
const FIRST = { first: 50, after: null, mostCounted: MOST_COUNTED } as const
const UNCOUNTED = { ...FIRST, mostCounted: 0 } as const
const URGENT = ['ERROR', 'WARNING'] as const
const WAITING = ['PENDING', 'SENT', 'ACKNOWLEDGED'] as const

/** The content of the page. Numbers count everything up to a limit; lists have the first items. */
export interface HomeData extends Known {
  readonly openCount: number
  readonly waitingCount: number
  readonly refusedCodes: readonly RefusedSince[]
}

const NOTHING: HomeData = {
  arrivals: {
    systems: [],
    silent: { count: 0, hasMore: false, first: null },
    neverSent: { count: 0, hasMore: false },
    isAll: true,
  },
  open: [],
  refused: [],
  waiting: [],
  drift: null,
  systemLink: () => null,
  senderOf: (sender) => sender,
  openCount: 0,
  waitingCount: 0,
  refusedCodes: [],
}

/** Reads the page. The number of statements and rows does not depend on the number of systems. */
export async function readHome(visit: Visit): Promise<HomeData> {
  const [data, model] = [withRight(visit, 'data:read'), visit.caller.rights.has('model:read')]
  const drift = model ? await driftCount(visit.context) : null
  return data === null ? { ...NOTHING, drift } : { ...(await dataOf(data)), drift }
}

async function dataOf(visit: Visit): Promise<Omit<HomeData, 'drift'>> {
  const { context, actor, now } = visit
  const since = new Date(now.getTime() - DAY_MS)
  const arrivals = await listArrivals(context, SHOWN_SYSTEMS)
  const open = await listEvents(context, actor, { isOpen: true }, FIRST)
  // Many harmless events must not hide an urgent one.
  const urgent = await listEvents(context, actor, { isOpen: true, levels: URGENT }, UNCOUNTED)
  const refused = await listRefusedDatapoints(context, actor, { from: since.toISOString() }, FIRST)
  const refusedRows = joined(refused.items, await refusedOf(visit, arrivals, since))
  const refusedCodes = await countRefused(context, since)
  const waiting = await listSetpoints(
    context,
    actor,
    { states: WAITING },
    { ...FIRST, isOldestFirst: true, hasBeginnings: true },
  )
  const uuids = [...urgent.items, ...open.items, ...refusedRows, ...waiting.items].flatMap(
    ({ systemUuid }) => systemUuid ?? [],
  )
  return {
    arrivals,
    open: joined(urgent.items, open.items),
    refused: refusedRows,
    waiting: waiting.items,
    openCount: open.total,
    waitingCount: waiting.total,
    refusedCodes,
    senderOf: await senderNames(
      context,
      null,
      refusedRows.flatMap(({ systemUuid, sender }) => (systemUuid === null ? [sender] : [])),
    ),
    systemLink: linkTo(await namesOf(visit, uuids, arrivals.systems)),
  }
}

/** The rejected datapoints of the systems that are listed with their arrivals. */
async function refusedOf({ context, actor }: Visit, { systems }: Known['arrivals'], since: Date) {
  const filter = { systems: systems.map(({ systemUuid }) => systemUuid), from: since.toISOString() }
  return (await listRefusedDatapoints(context, actor, filter, { ...UNCOUNTED, first: MOST_COUNTED })).items
}

/** Joins two lists that may have items in common. */
function joined<Item extends { readonly uuid: string }>(some: readonly Item[], others: readonly Item[]): Item[] {
  return [...new Map([...some, ...others].map((one) => [one.uuid, one])).values()]
}

async function namesOf(
  { context, actor }: Visit,
  uuids: readonly string[],
  known: readonly { readonly systemUuid: string; readonly name: string }[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(known.map(({ systemUuid, name }) => [systemUuid, name]))
  const others = [...new Set(uuids)].filter((uuid) => !names.has(uuid))
  if (others.length === 0) return names
  const { items } = await listSystems(context, actor, { uuids: others }, { first: others.length, after: null })
  return new Map([...names, ...items.map(({ uuid, name }) => [uuid, name] as const)])
}

function linkTo(names: ReadonlyMap<string, string>) {
  return (uuid: string | null, part = ''): Html | null =>
    uuid === null ? null : html`<a href="/systems/${uuid}${part}">${names.get(uuid) ?? uuid}</a>`
}
