import { readLatest } from '../../../platform/datapoints/reading/read-datapoints.ts'
import { shownCell } from '../../../platform/datapoints/reading/shown-cell.ts'
import type { Component } from '../../../platform/systems/components.ts'
import { listComponentSeries, type SystemSeries } from '../../../platform/datapoints/reading/series/system-series.ts'
import { html, type Html } from '../../../server/html.ts'
import type { Visit } from '../../page.ts'
import { block } from '../../parts/block.ts'
import { shortText } from '../../parts/short-text.ts'
import { lengthText } from '../../parts/table.ts'
import { age } from '../../parts/time.ts'
import { latestText, LONGEST_LATEST, pairWithPoints, type LatestOf } from './analyse/values/latest.ts'
import { seriesAddress } from './analyse/seen.ts'
import { nameOf, unitOf } from './analyse/shape.ts'

/** The maximum number of components, and values per component, on the page. Analyse shows all. */
const OVERVIEW_LIMITS = { components: 12, series: 6 } as const

const LONGEST_VALUE = 40

/** Reads the latest values of the first components of a list, by component. */
export async function latestValues(visit: Visit, system: string, components: readonly Component[], total: number) {
  const shown = components.slice(0, OVERVIEW_LIMITS.components)
  if (shown.length === 0) return null
  const series = await listComponentSeries(visit.context, visit.actor, shown)
  const own = Map.groupBy(series, ({ componentUuid }) => componentUuid)
  const first = [...own.values()].flatMap((all) => all.slice(0, OVERVIEW_LIMITS.series))
  const ids = first.flatMap(({ id }) => id ?? [])
  const latest = pairWithPoints(
    first,
    await readLatest(visit.context, visit.actor, { ids }, { longest: LONGEST_LATEST }),
  )
  const path = `/systems/${system}/analyse`
  return block({
    title: 'Latest values',
    note: `${lengthText(shown.length, total)} ${total === 1 ? 'component' : 'components'}`,
    more: { label: 'All values', href: path },
    body: html`<div class="latest">
      ${shown.map((one) => ofComponent({ visit, path, latest }, one, own.get(one.uuid) ?? []))}
    </div>`,
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
  return html`<section>
    <h3>${shortText(name)}</h3>
    ${shown.length === 0 ? html`<p class="soft">Its model has no characteristics.</p>` : null}
    <ul>
      ${shown.map((one) => itemOf(listing, one))}
    </ul>
    ${
      shown.length < series.length
        ? html`<p><a href="${rest}">${lengthText(shown.length, series.length)} characteristics</a></p>`
        : null
    }
  </section>`
}

function itemOf({ visit, path, latest }: Listing, series: SystemSeries): Html {
  const link = `${path}?${new URLSearchParams({ show: seriesAddress(series) }).toString()}`
  const name = html`<a href="${link}" title="${series.serviceName}">${nameOf(series)}</a>`
  const point = latest.get(series)
  if (point === undefined) return html`<li>${name}<span class="soft">nothing yet</span></li>`
  const text = latestText(shownCell(point.value, series.rules), series, visit)
  const value = html`${shortText(text, LONGEST_VALUE)} <span class="unit">${unitOf(series)}</span>`
  const when = age(new Date(point.at / 1_000), visit.now, visit.zone)
  return html`<li>${name}<span class="value">${value}</span><span class="age">${when}</span></li>`
}
