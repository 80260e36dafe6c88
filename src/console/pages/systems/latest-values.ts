import { readLatest } from '../../../platform/datapoints/reading/read-datapoints.ts'
import { shownCell } from '../../../platform/datapoints/reading/shown-cell.ts'
import type { Component } from '../../../platform/systems/components.ts'
import { listComponentSeries, type SystemSeries } from '../../../platform/systems/system-series.ts'
import { html, type Html } from '../../../server/html.ts'
import type { Visit } from '../../page.ts'
import { block } from '../../parts/block.ts'
import { shortText } from '../../parts/short-text.ts'
import { lengthText, table, type Row } from '../../parts/table.ts'
import { age } from '../../parts/time.ts'
import { latestText, pairWithPoints, type LatestOf } from './analyse/latest.ts'
import { seriesAddress } from './analyse/seen.ts'
import { nameOf, unitOf } from './analyse/shape.ts'

/** A page shows the values of so many components, and so many values of each; Analyse has all. */
export const OVERVIEW_LIMITS = { components: 12, series: 6 } as const

const LONGEST_VALUE = 60

/** What the first components of a list said last, by component. */
export async function latestValues(visit: Visit, system: string, components: readonly Component[], total: number) {
  const shown = components.slice(0, OVERVIEW_LIMITS.components)
  if (shown.length === 0) return null
  const series = await listComponentSeries(visit.context, visit.actor, shown)
  const own = Map.groupBy(series, ({ componentUuid }) => componentUuid)
  const first = [...own.values()].flatMap((all) => all.slice(0, OVERVIEW_LIMITS.series))
  const ids = first.flatMap(({ id }) => id ?? [])
  const latest = pairWithPoints(first, await readLatest(visit.context, visit.actor, { ids }))
  const path = `/systems/${system}/analyse`
  return block({
    title: 'Latest values',
    note: `${lengthText(shown.length, total)} components`,
    more: { label: 'All in Analyse', href: path },
    body: html`${shown.map((one) => ofComponent({ visit, path, latest }, one, own.get(one.uuid) ?? []))}`,
  })
}

interface Listing {
  readonly visit: Visit
  readonly path: string
  readonly latest: LatestOf
}

function ofComponent(listing: Listing, { name }: Component, series: readonly SystemSeries[]): Html {
  const shown = series.slice(0, OVERVIEW_LIMITS.series)
  const rest = `${listing.path}?${new URLSearchParams({ search: name }).toString()}`
  const rows = shown.map((one) => rowOf(listing, one))
  const more = html`<p><a href="${rest}">${lengthText(shown.length, series.length)} characteristics</a></p>`
  return html`<h3>${shortText(name)}</h3>
    ${rows.length === 0 ? html`<p class="soft">Its model has no characteristics.</p>` : table(COLUMNS, rows)}
    ${shown.length < series.length ? more : null}`
}

const COLUMNS = [{ label: 'Characteristic' }, { label: 'Value', isNumber: true }, { label: 'Age', isNumber: true }]

function rowOf({ visit, path, latest }: Listing, series: SystemSeries): Row {
  const link = `${path}?${new URLSearchParams({ show: seriesAddress(series) }).toString()}`
  const name = html`<a href="${link}">${nameOf(series)}</a><span class="under">${shortText(series.serviceName)}</span>`
  const point = latest.get(series)
  if (point === undefined) return { cells: [name, html`<span class="soft">nothing yet</span>`, null] }
  const at = new Date(point.at / 1_000)
  const text = latestText(shownCell(point.value, series.rules), series, visit)
  const value = html`${shortText(text, LONGEST_VALUE)} <span class="unit">${unitOf(series)}</span>`
  return { cells: [name, value, age(at, visit.now, visit.zone)] }
}
