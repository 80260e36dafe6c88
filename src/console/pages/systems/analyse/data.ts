import { jsonPieces } from '../../../../lib/json-pieces.ts'
import { readingCursor, readingCursors } from '../../../../platform/changes/cursor-text.ts'
import { readDatapoints } from '../../../../platform/datapoints/reading/read-datapoints.ts'
import type { SystemSeries } from '../../../../platform/datapoints/reading/series/system-series.ts'
import { writeAnswer } from '../../../../server/written-answer.ts'
import { declareRoute } from '../../../route.ts'
import { lookAt, readShown } from './look.ts'
import { readMarks } from './marks.ts'
import { seriesName, type Looking } from './read-figures.ts'
import { drawnMarks, drawnSeries } from './picture.ts'
import { shapeOf } from './shape.ts'
import type { Window } from './span.ts'

/** `/systems/:uuid/analyse/data`: the data that the script draws, for the same parameters as the page. */
export const ANALYSE_DATA = declareRoute({
  path: '/systems/:uuid/analyse/data',
  right: 'data:read',
  keepsWithin: true,
  async answer(visit) {
    const look = await lookAt(visit)
    const { window, isLive } = look.seen
    // The stream sends the points that are stored during this reading, and tells of the events.
    const after = isLive ? await cursorsOf(visit) : null
    const looked = { window, now: visit.now.getTime() }
    const marks = await readMarks(visit, look.system.uuid, look.chosen, window)
    const read = await readShown(visit, look)
    const picture = {
      from: window.from,
      to: window.to,
      now: looked.now,
      isLive,
      // A window with two chosen ends keeps its beginning.
      keepsFrom: window.span === null,
      after,
      zone: visit.zone,
      series: read.map((one) => drawnSeries(one, marks, looked)),
      ...drawnMarks(marks, looked),
      week: await week(visit, read[0]?.series, window),
    }
    const body = await writeAnswer(jsonPieces(picture))
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
    return new Response(body, { headers: { ...headers, 'content-length': String(body.length) } })
  },
})

/** The cursors of the stream. A role within an organization does not see how many events the domain has. */
async function cursorsOf({ context, actor }: Looking): Promise<string> {
  if (actor.units !== null) return readingCursor(context)
  const { datapoints, events } = await readingCursors(context)
  return `${datapoints}~${events}`
}

const WEEK_MS = 7 * 86_400_000

/** The hourly means of the first series, for the week that ends with the window; null if it is no line. */
async function week({ context, actor }: Looking, series: SystemSeries | undefined, { from, to }: Window) {
  if (series === undefined || shapeOf(series) !== 'line' || to - from >= WEEK_MS) return null
  const query = {
    form: 'buckets',
    from: Math.round((to - WEEK_MS) * 1_000),
    to: Math.round(to * 1_000),
    interval: 'PT1H',
    timeZone: 'UTC',
    aggregations: ['avg'],
    fill: 'null',
  } as const
  const { reading: found } = await readDatapoints(context, actor, seriesName(series), query, context.now())
  if (found.form !== 'buckets') throw new Error('buckets were asked for')
  const [first] = found.buckets
  return {
    from: to - WEEK_MS,
    first: (first?.from ?? 0) / 1_000,
    means: found.buckets.map(({ cells: { avg } }) => (avg == null ? null : Number(Number(avg).toPrecision(4)))),
  }
}
