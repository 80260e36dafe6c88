import { checkedFilter, isMeant } from '../../../../platform/changes/subscription-filter.ts'
import { listSetpoints } from '../../../../platform/setpoints/list-setpoints.ts'
import { toSetpoint, type Setpoint } from '../../../../platform/setpoints/setpoint.ts'
import { followDatapoints, followRows, type Changes } from '../../../../server/graphql/subscriptions/follow.ts'
import type { SeriesPoint } from '../../../../server/graphql/datapoints/types.ts'
import type { StoredEvent } from '../../../../store/systems/events.ts'
import type { StoredSetpoint } from '../../../../store/setpoints/setpoints.ts'
import { declareRoute, type RouteVisit } from '../../../route.ts'
import { eventStream, EVENTS, sourceOf } from './event-stream.ts'
import { lookAt, type Look } from './look.ts'
import { MOST_MARKS } from './marks.ts'
import { drawnSetpoint } from './picture.ts'
import { seriesAddress } from './seen.ts'

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Keeps proxies from buffering the stream.
  'x-accel-buffering': 'no',
}

/**
 * `/systems/:uuid/analyse/live`: streams the new points of the chosen series (of all series if none is chosen) and the
 * states of their setpoints. It begins after the cursors in `after`, which the page or its data contain, so no point or
 * event is lost between them. A browser that reconnects continues after its last point. The stream tells that there are
 * new events. It first sends all setpoints of the window, because they are few and one might have changed before the
 * stream began.
 */
export const ANALYSE_LIVE = declareRoute({
  path: '/systems/:uuid/analyse/live',
  right: 'data:read',
  keepsWithin: true,
  async answer(visit) {
    const look = await lookAt(visit)
    const { series, chosen } = look
    const isChosen = chosen.length > 0
    const addresses = new Map((isChosen ? chosen : series).map((one) => [nameIn(one), seriesAddress(one)]))
    const eventOf = pointsEvent(addresses)
    const points = sourceOf(await followPoints(visit, look), (changes) => {
      visit.noteInUse()
      return eventOf(changes)
    })
    if (!isChosen) return new Response(eventStream([points]), { headers: HEADERS })
    const opened = [points]
    try {
      const told = setpointsEvent(addresses)
      opened.push(sourceOf(await followSetpoints(visit, look), told))
      opened.push(sourceOf(await followEvents(visit, look), ({ items }) => (items.length === 0 ? '' : EVENTS)))
      const begin = told({ cursor: '', items: await setpointsOf(visit, look) })
      // A browser that reconnects may have missed events.
      const missed = cursorsOf(visit).isAgain ? EVENTS : ''
      return new Response(eventStream(opened, begin + missed), { headers: HEADERS })
    } catch (error) {
      // Nobody reads these sources yet, so they are ended here.
      for (const source of opened) source.end()
      throw error
    }
  },
})

interface Named {
  readonly componentUuid: string
  readonly serviceUuid: string
  readonly characteristicUuid: string
}

function nameIn({ componentUuid, serviceUuid, characteristicUuid }: Named): string {
  return `${componentUuid} ${serviceUuid} ${characteristicUuid}`
}

async function followPoints(visit: RouteVisit, { system, chosen }: Look) {
  const { context, actor } = visit
  const of = (name: keyof Named) => (chosen.length === 0 ? undefined : [...new Set(chosen.map((one) => one[name]))])
  const filter = await checkedFilter(context, actor, {
    systems: [system.uuid],
    components: of('componentUuid'),
    services: of('serviceUuid'),
    characteristics: of('characteristicUuid'),
  })
  const after = cursorsOf(visit).datapoints
  return followDatapoints({ call: await callOf(visit), after, followed: FOLLOWED }, filter)
}

/** The cursors of the data, or the one of the last point if a browser connects again. */
function cursorsOf({ request, url }: RouteVisit) {
  const last = request.req.header('last-event-id')
  const [datapoints = null, events] = url.searchParams.get('after')?.split('~') ?? []
  return last === undefined ? { datapoints, events, isAgain: false } : { datapoints: last, isAgain: true }
}

const FOLLOWED = { field: 'Analyse', right: 'data:read', keepsWithin: true } as const

async function callOf({ context, actor, tokenHash, streams }: RouteVisit) {
  return { context, actor, tokenHash, streams: await streams() }
}

async function followSetpoints(visit: RouteVisit, { chosen }: Look): Promise<AsyncIterable<Changes<Setpoint>>> {
  const names = new Set(chosen.map(nameIn))
  const units = visit.actor.units ?? undefined
  return followRows(
    { call: await callOf(visit), followed: FOLLOWED },
    {
      topic: 'setpoints',
      isMeant: (one: StoredSetpoint) => isMeant(units, one.unitUuid) && names.has(nameIn(one)),
      show: toSetpoint,
    },
  )
}

/** Tells that there are new events, without their content. */
async function followEvents(visit: RouteVisit, { system }: Look): Promise<AsyncIterable<Changes<null>>> {
  const units = visit.actor.units ?? undefined
  return followRows(
    { call: await callOf(visit), after: cursorsOf(visit).events, followed: FOLLOWED },
    {
      topic: 'events',
      isMeant: (one: StoredEvent) => isMeant(units, one.unitUuid) && one.systemUuid === system.uuid,
      show: () => null,
    },
  )
}

async function setpointsOf({ context, actor }: RouteVisit, { system, chosen, seen }: Look) {
  const components = [...new Set(chosen.map(({ componentUuid }) => componentUuid))]
  const filter = { systems: [system.uuid], components, from: new Date(seen.window.from).toISOString() }
  const { items } = await listSetpoints(context, actor, filter, {
    first: MOST_MARKS,
    after: null,
    mostCounted: 0,
    isOldestFirst: false,
    hasBeginnings: true,
  })
  return items.filter((one) => chosen.some((series) => nameIn(series) === nameIn(one)))
}

/** The addresses of series by their uuids. */
type Addresses = ReadonlyMap<string, string>

/** The points as `[series, milliseconds, value]`. The id of the event is the cursor to go on after. */
const pointsEvent =
  (addresses: Addresses) =>
  ({ cursor, items }: Changes<SeriesPoint>): string => {
    const points = items.flatMap(({ series, timestamp, value }) => {
      const address = addresses.get(nameIn(series))
      return address === undefined ? [] : [[address, Date.parse(timestamp), value]]
    })
    return `id: ${cursor}\ndata: ${JSON.stringify(points)}\n\n`
  }

/** The present state of setpoints, with their series. */
const setpointsEvent =
  (addresses: Addresses) =>
  ({ items }: Changes<Setpoint>): string => {
    const told = items.map((one) => [addresses.get(nameIn(one)), drawnSetpoint(one, 0)])
    return told.length === 0 ? '' : `event: setpoints\ndata: ${JSON.stringify(told)}\n\n`
  }
