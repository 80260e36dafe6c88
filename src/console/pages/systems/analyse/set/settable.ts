import type { SystemSeries } from '../../../../../platform/datapoints/reading/series/system-series.ts'
import { html, type Html } from '../../../../../server/html.ts'
import type { Visit } from '../../../../page.ts'
import { hasRightAt } from '../../../../visit-right.ts'
import type { Look } from '../look.ts'
import { linkTo } from '../seen.ts'
import { isSetting } from '../shape.ts'

/** The parameter that names the series to set. */
export const WHAT = 'what'

/**
 * The series that a person may set: first the visible series in their order, then the other series of the same
 * components.
 */
export function settableOf({ series, chosen }: Pick<Look, 'series' | 'chosen'>): readonly SystemSeries[] {
  const seen = new Set(chosen.map(({ componentUuid }) => componentUuid))
  const beside = series.filter(({ componentUuid }) => seen.has(componentUuid))
  return [...new Set([...chosen, ...beside, ...series])].filter((one) => one.isSupported && isSetting(one))
}

/** The link to set a value; null if the person may not set one here. */
export function setLink(visit: Visit, look: Look): Html | null {
  const { system, seen } = look
  if (!hasRightAt(visit, 'setpoints:write', system) || settableOf(look).length === 0) return null
  return html`<a class="button" id="set-value" data-key="set" href="${visit.url.pathname}/set${linkTo(seen, {})}"
    >Set a value …</a
  >`
}
