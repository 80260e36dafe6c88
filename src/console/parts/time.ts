import { LRUCache } from 'lru-cache'
import { html, type Html } from '../../server/html.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The formats that were used last, because each of them takes many kilobytes. */
export const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 200 })

/** To make a format costs more than to use it a thousand times. */
function format(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = JSON.stringify([zone, options])
  const known = formats.get(name)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...options })
  formats.set(name, made)
  return made
}

/** `14:32:08` */
export function timeOfDay(at: Date, zone: string): string {
  return format(zone, { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(at)
}

/** `14:32` */
export function clockText(at: Date, zone: string): string {
  return format(zone, { hour: '2-digit', minute: '2-digit' }).format(at)
}

/** `Sun 22 Nov 14:32`, with the year where it is another one. */
export function dateText(at: Date, now: Date, zone: string): string {
  const year = format(zone, { year: 'numeric' })
  const day = { weekday: 'short', day: 'numeric', month: 'short' } as const
  const date = year.format(at) === year.format(now) ? day : { ...day, weekday: undefined, year: 'numeric' as const }
  return `${format(zone, date).format(at).replace(',', '')} ${clockText(at, zone)}`
}

/** How long ago, as long as that is less than a day: `8 s`, `12 min`, `6 h 14 min`. Then it is a date. */
export function ageText(at: Date, now: Date, zone: string): string {
  const age = now.getTime() - at.getTime()
  if (age < 0 || age >= DAY) return dateText(at, now, zone)
  if (age < MINUTE) return `${Math.floor(age / 1_000)} s`
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`
  const minutes = Math.floor((age % HOUR) / MINUTE)
  return minutes === 0 ? `${Math.floor(age / HOUR)} h` : `${Math.floor(age / HOUR)} h ${minutes} min`
}

/** A moment of which the page shows the age, and the exact time when it is pointed at. */
export function age(at: Date, now: Date, zone: string): Html {
  return html`<time datetime="${at.toISOString()}" title="${exactText(at, zone)}">${ageText(at, now, zone)}</time>`
}

/** A moment of which the page shows the date. */
export function date(at: Date, now: Date, zone: string): Html {
  return html`<time datetime="${at.toISOString()}" title="${exactText(at, zone)}">${dateText(at, now, zone)}</time>`
}

function exactText(at: Date, zone: string): string {
  return format(zone, { dateStyle: 'full', timeStyle: 'long' }).format(at)
}
