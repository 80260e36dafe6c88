import { timestampText } from '../../../../../datapoints/wire/timestamp-text.ts'
import { HoldfastError } from '../../../../../lib/errors.ts'
import type { Json } from '../../../../../lib/json.ts'
import { READING_LIMITS } from '../../../../../platform/datapoints/reading/reading-limits.ts'
import { csvCell } from '../../../../../platform/datapoints/export/export-csv.ts'
import { writeAnswer } from '../../../../../server/written-answer.ts'
import { declareRoute } from '../../../../route.ts'
import { lookAt, readShown } from '../look.ts'
import { captionOf, type ReadSeries } from '../picture.ts'
import { exactOf } from '../read-figures.ts'
import { wholeNameOf, wholeUnitOf } from '../shape.ts'

const COLUMNS = 'timestamp,component,service,characteristic,name,unit,figures,value,minimum,mean,maximum'

/** `/systems/:uuid/analyse/csv`: the visible values as a CSV file. */
export const ANALYSE_CSV = declareRoute({
  path: '/systems/:uuid/analyse/csv',
  right: 'data:read',
  keepsWithin: true,
  async answer(visit) {
    const look = await lookAt(visit)
    const query = { ...look.seen, states: 'below' as const }
    const read = await readShown(visit, { ...look, seen: query }, READING_LIMITS.page)
    for (const one of read) requireAllTexts(one)
    const name = `${look.system.uuid.slice(0, 8)}-${new Date(look.seen.window.from).toISOString().slice(0, 10)}.csv`
    const body = await writeAnswer(lines(read))
    return new Response(body, {
      headers: {
        'content-length': String(body.length),
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
      },
    })
  },
})

/** Refuses a file that would lack some texts, because readers would take it for complete. */
function requireAllTexts({ series, figures }: ReadSeries): void {
  if (figures.form !== 'texts' || !figures.hasMore) return
  const most = READING_LIMITS.page.toLocaleString('en-US')
  const message = `${wholeNameOf(series)} has more than ${most} values in this window, and a CSV has at most ${most} of each series: choose a shorter window`
  throw new HoldfastError('LIMIT_EXCEEDED', message)
}

function* lines(read: readonly ReadSeries[]): Generator<string> {
  yield `${COLUMNS}\r\n`
  for (const one of read) for (const line of linesOf(one)) yield `${line}\r\n`
}

function linesOf({ series, figures }: ReadSeries): string[] {
  const { componentName, serviceKey, characteristicKey } = series
  const names = [
    componentName,
    serviceKey,
    characteristicKey,
    wholeNameOf(series),
    wholeUnitOf(series),
    captionOf(figures),
  ]
  const middle = names.map(cell).join(',')
  const line = (at: number, ...rest: (Json | bigint)[]) =>
    [timestampText(Math.round(at * 1_000)), middle, ...rest.map(cell)].join(',')
  switch (figures.form) {
    case 'raw':
      return figures.points.map(({ at, value }) => line(at, numeric(exactOf(value)), null, null, null))
    case 'texts':
      return figures.points.map(({ at, value }) => line(at, value, null, null, null))
    case 'buckets':
      return figures.buckets.map(({ at, min, mean, max }) => line(at, null, numeric(min), mean, numeric(max)))
    case 'states':
      return figures.states.map(({ from, value }) => line(from, value, null, null, null))
  }
}

/** A number, so that a negative one is not escaped as a formula. */
function numeric(value: number | string): number | bigint {
  return typeof value === 'string' ? BigInt(value) : value
}

/** Escapes a cell, so that a spreadsheet does not run it as a formula (docs/decisions/0038). */
function cell(value: Json | bigint): string {
  if (value === null) return ''
  const plain = typeof value === 'object' ? JSON.stringify(value) : value
  return csvCell(plain, { guardFormulas: true })
}
