import { shownCell } from '../../../../platform/datapoints/reading/shown-cell.ts'
import type { SystemSeries } from '../../../../platform/datapoints/reading/series/system-series.ts'
import { html, type Html } from '../../../../server/html.ts'
import type { Visit } from '../../../page.ts'
import { age, dateText } from '../../../parts/time.ts'
import { latestText, type LatestOf } from './values/latest.ts'
import type { Look } from './look.ts'
import { LONGEST_SEARCH, seriesAddress, type Seen } from './seen.ts'
import { shortText } from '../../../parts/short-text.ts'
import { nameOf, shapeOf, unitOf } from './shape.ts'

/** The parameters that the form repeats, so that they stay in the address. */
const KEPT = ['window', 'from', 'to', 'view', 'states', 'live']

/** The number of data colours. After that, they repeat. */
const COLOURS = 6

/** The class for the colour of each line, by the address of the series. */
type Colours = ReadonlyMap<string, string>

interface Listing {
  readonly visit: Pick<Visit, 'now' | 'zone'>
  readonly seen: Seen
  /** The series that are chosen or that match the search. */
  readonly meant: ReadonlySet<SystemSeries>
  readonly latest: LatestOf
  readonly colours: Colours
}

/**
 * Lists all characteristics of the system to choose from. Those that do not match the search are hidden, but still in
 * the page.
 */
export function chooser(
  visit: Listing['visit'],
  look: Pick<Look, 'seen' | 'series' | 'chosen'>,
  latest: LatestOf,
): Html {
  const { seen, series, chosen } = look
  const words = seen.search.toLowerCase().split(/\s+/)
  const meant = new Set(series.filter((one) => chosen.includes(one) || hasAll(words, searchText(one))))
  const listing = { visit, seen, meant, latest, colours: lineColours(chosen) }
  const known = new Set(series.map(seriesAddress))
  const hidden = seen.query.getAll('show').filter((address) => !known.has(address))
  const count = series.length.toLocaleString('en-US')
  return html`<form class="chooser" id="chooser" method="get" autocomplete="off" aria-label="Characteristics">
    ${KEPT.map((name) => keptField(seen, name))} ${hidden.map((one) => hiddenField('show', one))}
    <div class="find">
      <input
        class="field search"
        type="search"
        name="search"
        value="${seen.search}"
        maxlength="${LONGEST_SEARCH}"
        placeholder="Search ${count} characteristics"
        aria-label="Search ${count} characteristics"
      />
      <button class="button unscripted">Show</button>
    </div>
    <div class="listed">
      ${componentsOf(series).map((own) => componentPart(listing, own))}
      <p class="none soft" ${meant.size > 0 ? html`hidden` : null}>No characteristic has this in its name.</p>
    </div>
  </form>`
}

/** Whether the text contains each word. `pump flow` finds the flow temperature of a heat pump. */
function hasAll(words: readonly string[], text: string): boolean {
  return words.every((word) => text.includes(word))
}

function searchText(series: SystemSeries): string {
  const { componentName, serviceName, characteristicKey } = series
  return `${componentName} ${serviceName} ${nameOf(series)} ${characteristicKey}`.toLowerCase()
}

function keptField({ query }: Seen, name: string): Html | null {
  const value = query.get(name)
  return value === null ? null : hiddenField(name, value)
}

function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`
}

function componentsOf(series: readonly SystemSeries[]): readonly (readonly SystemSeries[])[] {
  return [...Map.groupBy(series, ({ componentUuid }) => componentUuid).values()]
}

function hiddenUnless({ meant }: Listing, series: readonly SystemSeries[]): Html | null {
  return series.some((one) => meant.has(one)) ? null : html`hidden`
}

function componentPart(listing: Listing, series: readonly SystemSeries[]): Html {
  const { seen } = listing
  const chosen = series.filter((one) => seen.chosen.includes(seriesAddress(one))).length
  const services = [...Map.groupBy(series, ({ serviceKey }) => serviceKey).values()]
  return html`<section class="component" ${hiddenUnless(listing, series)}>
    <h2>
      <span>${series[0]?.componentName}</span>
      <span class="count">${chosen > 0 ? `${chosen} of ${series.length} shown` : series.length}</span>
    </h2>
    ${services.map((own) => servicePart(listing, own))}
  </section>`
}

function servicePart(listing: Listing, series: readonly SystemSeries[]): Html {
  return html`<fieldset class="service" ${hiddenUnless(listing, series)}>
    <legend>
      ${shortText(series[0]?.serviceName ?? '')}${series[0]?.isSupported === true ? null : ' (not in the model any more)'}
    </legend>
    <ul>
      ${series.map((one) => choice(listing, one))}
    </ul>
  </fieldset>`
}

function choice(listing: Listing, series: SystemSeries): Html {
  const { now, zone } = listing.visit
  const { seen, latest, colours } = listing
  const address = seriesAddress(series)
  const isChosen = seen.chosen.includes(address)
  const point = latest.get(series)
  const value = point === undefined ? null : latestText(shownCell(point.value, series.rules), series, { now, zone })
  return html`<li data-search="${searchText(series)}" data-series="${address}" ${hiddenUnless(listing, [series])}>
    <label>
      <input
        type="checkbox"
        name="show"
        value="${address}"
        class="${colours.get(address) ?? ''}"
        ${isChosen ? html`checked` : null}
      />
      <span class="name">${nameOf(series)}</span>
      <span class="value">${value}<span class="unit">${value === null ? null : ` ${unitOf(series)}`}</span></span>
      <span class="age"
        >${point === undefined ? html`<time></time>` : arrival(new Date(point.at / 1_000), now, zone)}</span
      >
    </label>
  </li>`
}

const HOUR_MS = 3_600_000
const DAY_HOURS = 24

/** The age of the last point in a few letters, with the exact time as tooltip. */
function arrival(at: Date, now: Date, zone: string): Html {
  const hours = Math.floor((now.getTime() - at.getTime()) / HOUR_MS)
  if (hours < 1) return age(at, now, zone)
  const text = hours < DAY_HOURS ? `${hours} h` : `${Math.floor(hours / DAY_HOURS)} d`
  return html`<time datetime="${at.toISOString()}" title="${dateText(at, now, zone)}">${text}</time>`
}

/** The colours of lines, by their place among the chosen lines. States have the colours of their values. */
function lineColours(chosen: readonly SystemSeries[]): Colours {
  const lines = chosen.filter((series) => shapeOf(series) === 'line')
  return new Map(lines.map((series, place) => [seriesAddress(series), `d${(place % COLOURS) + 1}`]))
}
