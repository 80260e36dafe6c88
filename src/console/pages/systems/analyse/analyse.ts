import { requireRight } from '../../../../auth/require-right.ts'
import { readingCursor } from '../../../../platform/changes/cursor-text.ts'
import { readLatest, type LatestPoint } from '../../../../platform/datapoints/reading/read-datapoints.ts'
import { READING_LIMITS } from '../../../../platform/datapoints/reading/reading-limits.ts'
import type { SystemSeries } from '../../../../platform/datapoints/reading/series/system-series.ts'
import { html, type Html } from '../../../../server/html.ts'
import { ANALYSE_SCRIPT } from '../../../assets.ts'
import { declarePage, type View, type Visit } from '../../../page.ts'
import { systemTabs } from '../system-tabs.ts'
import { chooser } from './chooser.ts'
import { LONGEST_LATEST, pairWithPoints, type LatestOf } from './values/latest.ts'
import { nothingYet } from './empty.ts'
import { inWindow } from './in-window.ts'
import { asksForStates, lookAt, readShown, type Look } from './look.ts'
import { readMarks } from './marks.ts'
import type { ReadSeries } from './picture.ts'
import { linkTo, type Seen } from './seen.ts'
import { shapeOf } from './shape.ts'
import { toolbar } from './toolbar.ts'
import { textsTables, valuesTable } from './values/values-table.ts'

/** `/systems/:uuid/analyse`: a system's data, with all that happened to it. The address has the page's whole state. */
export const ANALYSE_PAGE = declarePage({
  path: '/systems/:uuid/analyse',
  area: 'systems',
  right: 'data:read',
  keepsWithin: true,
  async show(visit) {
    const look = await lookAt(visit)
    const latest = await latestOf(visit, look.series)
    const body = latest.size === 0 ? await waiting(visit, null) : await analysis(visit, look, latest)
    return view(visit, look, body)
  },
  async receive(visit) {
    const look = await lookAt(visit)
    requireRight('A command that sends datapoints', 'datapoints:write', visit.caller, true)
    const token = await visit.issueToken('datapoints:write')
    return view(visit, look, await waiting(visit, token))
  },
})

/** The page before the first datapoint. Latest points are read again: the page receives only those after the cursor. */
async function waiting(visit: Visit, token: string | null): Promise<Html> {
  const after = await readingCursor(visit.context)
  const look = await lookAt(visit)
  const latest = await latestOf(visit, look.series)
  return latest.size === 0 ? nothingYet(visit, look, { token, after }) : analysis(visit, look, latest)
}

function view(visit: Visit, { system }: Look, body: Html): View {
  return {
    title: system.name,
    crumbs: [{ label: 'Systems', href: '/systems' }],
    tabs: systemTabs(visit, system.uuid, 'analyse'),
    isWide: true,
    script: ANALYSE_SCRIPT,
    body: html`<div id="analyse" data-path="${visit.url.pathname}">${body}</div>`,
  }
}

/** The maximum number of series of one request. */
const AT_ONCE = READING_LIMITS.series

async function latestOf({ context, actor }: Visit, series: readonly SystemSeries[]): Promise<LatestOf> {
  const points: LatestPoint[] = []
  for (const components of inGroups(series))
    points.push(...(await readLatest(context, actor, { components }, { longest: LONGEST_LATEST })))
  return pairWithPoints(series, points)
}

/** Groups the components of these series, so that no group has more series with points than one request allows. */
function inGroups(series: readonly SystemSeries[]): readonly (readonly string[])[] {
  const groups: string[][] = []
  let room = 0
  for (const [component, own] of Map.groupBy(series, ({ componentUuid }) => componentUuid)) {
    if (own.length > room || groups.length === 0) {
      groups.push([])
      room = AT_ONCE
    }
    groups.at(-1)?.push(component)
    room -= own.length
  }
  return groups
}

async function analysis(visit: Visit, look: Look, latest: LatestOf): Promise<Html> {
  const { seen, system, chosen, components, series } = look
  const marks = await readMarks(visit, system.uuid, chosen, seen.window)
  const names = new Map(components.map(({ uuid, name }) => [uuid, name]))
  const shown = { visit, chosen, components: names, systemName: system.name }
  const read = await readForTables(visit, look)
  return html`${toolbar(visit, look)}
    <div id="notices">${missing(look)} ${asksForStates(look) ? question(seen) : null}</div>
    <div class="analyse">
      <details class="choose">
        <summary><span id="chosen-count">${chosen.length} of ${series.length} characteristics</span> Choose</summary>
        ${chooser(visit, look, latest)}
      </details>
      <div class="stage" id="stage">${stage(visit, look, read)}</div>
    </div>
    <div id="below" class="blocks">
      ${hasOnlyTexts(look) ? null : textsTables(visit, read)} ${inWindow(shown, marks, seen.window)}
    </div>`
}

/** Reads the series that are shown as tables. The script reads lines and states for a chart itself. */
function readForTables(visit: Visit, look: Look): Promise<readonly ReadSeries[]> {
  if (look.seen.display === 'table') return readShown(visit, look)
  return readShown(visit, { ...look, chosen: look.chosen.filter((series) => shapeOf(series) === 'text') })
}

/** Whether only texts are chosen. Their tables then replace the chart. Otherwise the tables are below it. */
function hasOnlyTexts({ chosen }: Pick<Look, 'chosen'>): boolean {
  return chosen.length > 0 && chosen.every((series) => shapeOf(series) === 'text')
}

function stage({ url, now, zone }: Visit, look: Look, read: readonly ReadSeries[]): Html {
  const { seen, chosen } = look
  const csv = `${url.pathname}/csv${linkTo(seen, { view: null, search: null })}`
  if (chosen.length === 0) return hint('Choose a characteristic, and see its last 24 hours.')
  if (hasOnlyTexts(look)) return html`<div class="padded blocks">${textsTables({ now, zone }, read)}</div>`
  if (seen.display === 'table') return html`<div class="padded">${valuesTable({ now, zone }, read, csv)}</div>`
  return html`<div id="picture" class="scripted"></div>
    <div class="unscripted">
      ${hint(html`Charts need a script. <a href="${linkTo(seen, { view: 'table' })}">Show the values as a table</a>`)}
    </div>`
}

function hint(words: string | Html): Html {
  return html`<p class="hint soft">${words}</p>`
}

/** Asks whether to change the display for states. The specification requires a confirmation for boolean data. */
function question(seen: Seen): Html {
  return html`<div class="notice question" role="group" aria-labelledby="question" tabindex="-1">
    <p id="question"><strong>Show states below the lines?</strong></p>
    <div>
      What you have chosen is true or false, or one of several options. It has no place on a scale, and is drawn as bars
      on the same time axis.
    </div>
    <p class="answers">
      <a class="button main" href="${linkTo(seen, { states: 'below' })}">Show states below the lines</a>
      <a class="button" href="${linkTo(seen, { states: 'none' })}">Only lines</a>
    </p>
  </div>`
}

function missing({ seen, chosen }: Look): Html | null {
  const count = seen.chosen.length - chosen.length
  if (count === 0) return null
  const words = count === 1 ? 'One chosen characteristic is' : `${count} chosen characteristics are`
  return html`<div class="notice warn"><p>${words} not of this system, or not any more.</p></div>`
}
