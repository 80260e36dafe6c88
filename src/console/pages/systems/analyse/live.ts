import { tokenHash } from '../../../../platform/access/sessions/token-hash.ts'
import { checkedFilter } from '../../../../platform/changes/subscription-filter.ts'
import { followDatapoints, type Changes } from '../../../../server/graphql/subscriptions/follow.ts'
import type { SeriesPoint } from '../../../../server/graphql/datapoints/types.ts'
import { isExpected, publicError } from '../../../../server/requests/error-response.ts'
import { declareRoute, type RouteVisit } from '../../../route.ts'
import { lookAt } from './look.ts'
import { seriesAddress } from './seen.ts'

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Proxies would otherwise keep it back until there is more.
  'x-accel-buffering': 'no',
}

/**
 * `/systems/:uuid/analyse/live`: the new points of the chosen series, or of all where none is chosen, by one
 * subscription. A browser that was away goes on after the last one that it has seen.
 */
export const ANALYSE_LIVE = declareRoute({
  path: '/systems/:uuid/analyse/live',
  right: 'data:read',
  keepsWithin: true,
  async answer(visit) {
    const { system, series, chosen } = await lookAt(visit)
    const meant = chosen.length > 0 ? chosen : series
    const addresses = new Map(meant.map((one) => [nameIn(one), seriesAddress(one)]))
    const changes = await follow(visit, system.uuid, chosen.length > 0 ? chosen : null)
    return new Response(eventStream(changes, addresses), { headers: HEADERS })
  },
})

async function follow(visit: RouteVisit, systemUuid: string, chosen: readonly Named[] | null) {
  const { context, actor, token, request } = visit
  const of = (name: keyof Named) => (chosen === null ? undefined : [...new Set(chosen.map((one) => one[name]))])
  const filter = await checkedFilter(context, actor, {
    systems: [systemUuid],
    components: of('componentUuid'),
    services: of('serviceUuid'),
    characteristics: of('characteristicUuid'),
  })
  const call = { context, actor, tokenHash: tokenHash(token), streams: await visit.streams() }
  const followed = { field: 'Analyse', right: 'data:read', keepsWithin: true } as const
  const after = request.req.header('last-event-id') ?? null
  return followDatapoints({ call, after, followed }, filter)
}

interface Named {
  readonly componentUuid: string
  readonly serviceUuid: string
  readonly characteristicUuid: string
}

function nameIn({ componentUuid, serviceUuid, characteristicUuid }: Named): string {
  return `${componentUuid} ${serviceUuid} ${characteristicUuid}`
}

/** Each event has the points as `[series, milliseconds, value]`, and as its id the cursor to go on after. */
function eventStream(
  changes: AsyncIterable<Changes<SeriesPoint>>,
  addresses: ReadonlyMap<string, string>,
): ReadableStream<Uint8Array> {
  const iterator = changes[Symbol.asyncIterator]()
  return new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from('retry: 2000\n\n'))
    },
    async pull(controller) {
      try {
        const next = await iterator.next()
        if (next.done === true) controller.close()
        else controller.enqueue(Buffer.from(eventOf(next.value, addresses)))
      } catch (error) {
        if (!isExpected(error)) throw error
        controller.enqueue(Buffer.from(`event: ended\ndata: ${JSON.stringify(publicError(error).message)}\n\n`))
        controller.close()
      }
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

function eventOf({ cursor, items }: Changes<SeriesPoint>, addresses: ReadonlyMap<string, string>): string {
  const points = items.flatMap(({ series, timestamp, value }) => {
    const address = addresses.get(nameIn(series))
    return address === undefined ? [] : [[address, Date.parse(timestamp), value]]
  })
  return `id: ${cursor}\ndata: ${JSON.stringify(points)}\n\n`
}
