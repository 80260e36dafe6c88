import { html, type Html } from '../../../../../server/html.ts'
import type { Visit } from '../../../../page.ts'
import { figureText, meanText } from '../../../../assets/analyse/figures.js'
import { block, empty } from '../../../../parts/block.ts'
import { shortText } from '../../../../parts/short-text.ts'
import { date, timeOfDay } from '../../../../parts/time.ts'
import { captionOf, type ReadSeries } from '../picture.ts'
import type { Figure, Figures } from '../read-figures.ts'
import { nameOf, precisionOf, shapeOf, unitOf } from '../shape.ts'
import { LONGEST_LATEST } from './latest.ts'
import { valueText } from './value-text.ts'

/** The maximum number of rows of a table. It shows the last ones. */
const MOST_ROWS = 500

type Cells = ReadonlyMap<number, string | Html>

/** The values of the chart as a table: one row per time, one column per series, the latest first. */
export function valuesTable(
  { now, zone }: Pick<Visit, 'now' | 'zone'>,
  read: readonly ReadSeries[],
  csv: string,
): Html {
  const shown = read.filter(({ series }) => shapeOf(series) !== 'text')
  if (shown.length === 0) return html``
  const columns = shown.map((one) => cellsOf(one))
  const times = [...new Set(columns.flatMap((cells) => [...cells.keys()]))].sort((one, other) => other - one)
  const rows = times.slice(0, MOST_ROWS)
  const count = times.length.toLocaleString('en-US')
  const note = times.length > MOST_ROWS ? `the last ${MOST_ROWS} of ${count} rows; the CSV has all` : `${count} rows`
  return block({
    title: 'Values',
    note: html`${note} · <a href="${csv}" download>CSV</a>`,
    body:
      rows.length === 0
        ? empty('There is no data in this window.')
        : html`<div class="scrolls" tabindex="0" role="region" aria-label="Values">
            <table class="table values">
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  ${shown.map(heading)}
                </tr>
              </thead>
              <tbody>
                ${rows.map(
                  (at) =>
                    html`<tr>
                      <td>${moment(at, now, zone)}</td>
                      ${columns.map((cells) => html`<td class="number">${cells.get(at)}</td>`)}
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`,
  })
}

function heading({ series, figures }: ReadSeries): Html {
  return html`<th scope="col" class="number">
    ${nameOf(series)}<span class="under">${[series.componentName, unitOf(series)].filter(Boolean).join(', ')}</span
    ><span class="under">${captionOf(figures)}</span>
  </th>`
}

function cellsOf({ series, figures }: ReadSeries): Cells {
  switch (figures.form) {
    case 'raw':
      return new Map(figures.points.map(({ at, value }) => [at, valueText(value, series)]))
    case 'buckets':
      return new Map(figures.buckets.map((bucket) => [bucket.at, figureCell(bucket, precisionOf(series))]))
    case 'states':
      return new Map(figures.states.map(({ from, value }) => [from, shortText(valueText(value, series))]))
    case 'texts':
      return new Map()
  }
}

function figureCell({ min, mean, max }: Pick<Figure, 'min' | 'mean' | 'max'>, precision: number | null): Html {
  const [low, high] = [figureText(min, precision), figureText(max, precision)]
  return html`${meanText(mean, precision)} <span class="soft">${low} – ${high}</span>`
}

function moment(at: number, now: Date, zone: string): Html {
  const moment = new Date(at)
  return html`${date(moment, now, zone)}<span class="soft">${timeOfDay(moment, zone).slice(5)}</span>`
}

/** Tables for texts and JSON, which a chart cannot show. */
export function textsTables(visit: Pick<Visit, 'now' | 'zone'>, read: readonly ReadSeries[]): readonly Html[] {
  return read.flatMap(({ series, figures }) => (figures.form === 'texts' ? [textsTable(visit, series, figures)] : []))
}

function textsTable(
  { now, zone }: Pick<Visit, 'now' | 'zone'>,
  series: ReadSeries['series'],
  { points, hasMore }: Extract<Figures, { form: 'texts' }>,
): Html {
  const note = hasMore ? `the last ${points.length}; the CSV has more` : `${points.length}`
  return block({
    title: nameOf(series),
    note: `${series.componentName} · ${note}`,
    body:
      points.length === 0
        ? empty('There is no value in this window.')
        : html`<table class="table">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Value</th>
              </tr>
            </thead>
            <tbody>
              ${points.map(
                ({ at, value }) =>
                  html`<tr>
                    <td class="when">${moment(at, now, zone)}</td>
                    <td>${textOf(value, series)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`,
  })
}

function textOf(value: Parameters<typeof valueText>[0], series: ReadSeries['series']): Html | string {
  const text = valueText(value, series)
  if (text.length <= 300) return text
  const rest = html`<span class="soft">The CSV has the whole text.</span>`
  return html`<details>
    <summary>${shortText(text, 200)}</summary>
    ${shortText(text, LONGEST_LATEST)} ${text.length > LONGEST_LATEST ? rest : null}
  </details>`
}
