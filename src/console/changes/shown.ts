import type { ListedChange } from '../../platform/imports/history/change-list.ts'
import type { Html } from '../../server/html.ts'
import type { Visit } from '../page.ts'
import { date } from '../parts/time.ts'

/** The way in which a list of changes is shown: as done or as planned, and with which addresses. */
export interface Shown {
  readonly isDone: boolean
  /** Where a record is described; null if that is unknown. */
  place(change: ListedChange): Html | null
  /** The address of the same list with other filters. */
  link(query: { readonly [name: string]: string }): string
  /** A time in the format of the page. */
  moment(at: string): Html
}

export function shownAt({ url, now, zone }: Visit, how: Pick<Shown, 'isDone' | 'place'>): Shown {
  return {
    ...how,
    link: (query) => {
      const text = new URLSearchParams(query).toString()
      return text === '' ? url.pathname : `${url.pathname}?${text}`
    },
    moment: (at) => date(new Date(at), now, zone),
  }
}
