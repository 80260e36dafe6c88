import { HoldfastError } from '../../../../lib/errors.ts'
import type { SystemSeries } from '../../../../platform/datapoints/reading/series/system-series.ts'
import { LONGEST_LINE } from '../../../../platform/systems/input-problems.ts'
import type { Visit } from '../../../page.ts'
import { readWindow, type Window } from './span.ts'

/** The content of an address of Analyse. */
export interface Seen {
  readonly window: Window
  /** The addresses of the chosen series, in the order in which they were chosen. */
  readonly chosen: readonly string[]
  readonly display: 'chart' | 'table'
  /** Whether states are shown below lines; null if the person has not been asked. */
  readonly states: 'below' | 'none' | null
  readonly isLive: boolean
  /** The search text for the names of series. */
  readonly search: string
  readonly query: URLSearchParams
}

export const MOST_CHOSEN = 24
/** The longest search text. Links search for the name of a component. */
export const LONGEST_SEARCH = LONGEST_LINE

export function readSeen({ url, now, zone }: Pick<Visit, 'url' | 'now' | 'zone'>): Seen {
  const query = url.searchParams
  const window = readWindow(query, now, zone)
  const chosen = [...new Set(query.getAll('show'))]
  if (chosen.length > MOST_CHOSEN)
    throw new HoldfastError(
      'LIMIT_EXCEEDED',
      `at most ${MOST_CHOSEN} characteristics are shown at once; choose fewer than ${chosen.length}`,
    )
  const search = query.get('search') ?? ''
  if (search.length > LONGEST_SEARCH)
    throw new HoldfastError('LIMIT_EXCEEDED', `a search has at most ${LONGEST_SEARCH} characters; this one has more`)
  const states = query.get('states')
  return {
    window,
    chosen,
    display: query.get('view') === 'table' ? 'table' : 'chart',
    states: states === 'below' || states === 'none' ? states : null,
    isLive: window.isNow && query.get('live') !== 'off',
    search,
    query,
  }
}

/** The name of a series in addresses. It consists of keys of the model, so that addresses are readable. */
export function seriesAddress({
  componentUuid,
  serviceKey,
  characteristicKey,
}: Pick<SystemSeries, 'componentUuid' | 'serviceKey' | 'characteristicKey'>): string {
  return [componentUuid, serviceKey, characteristicKey].map(encodeURIComponent).join('/')
}

/** The chosen series that exist, in the order in which they were chosen. */
export function chosenOf(all: readonly SystemSeries[], { chosen }: Pick<Seen, 'chosen'>): readonly SystemSeries[] {
  const byAddress = new Map(all.map((series) => [seriesAddress(series), series]))
  return chosen.flatMap((address) => byAddress.get(address) ?? [])
}

/** The same address with some parameters changed; null removes a parameter. */
export function linkTo({ query }: Pick<Seen, 'query'>, changes: { readonly [name: string]: string | null }): string {
  const changed = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) changed.delete(name)
    else changed.set(name, value)
  }
  const text = changed.toString()
  return text === '' ? '?' : `?${text}`
}
