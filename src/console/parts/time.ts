import { LRUCache } from 'lru-cache'
import { html, type Html } from '../../server/html.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Caches the formats that were used last. Each takes many kilobytes, so the number is limited. */
export const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 200 })

/** Gets a format from the cache, because creating one is much slower than using it. */
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

/** `Sun 22 Nov 14:32`, with the year if it is not the present one. */
export function dateText(at: Date, now: Date, zone: string): string {
  const year = format(zone, { year: 'numeric' })
  const day = { weekday: 'short', day: 'numeric', month: 'short' } as const
  const date = year.format(at) === year.format(now) ? day : { ...day, weekday: undefined, year: 'numeric' as const }
  return `${format(zone, date).format(at).replace(',', '')} ${clockText(at, zone)}`
}

/** The age of a time up to one day (`8 s`, `12 min`, `6 h 14 min`), and then its date. */
export function ageText(at: Date, now: Date, zone: string): string {
  const age = now.getTime() - at.getTime()
  if (age < 0 || age >= DAY) return dateText(at, now, zone)
  if (age < MINUTE) return `${Math.floor(age / 1_000)} s`
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`
  const minutes = Math.floor((age % HOUR) / MINUTE)
  return minutes === 0 ? `${Math.floor(age / HOUR)} h` : `${Math.floor(age / HOUR)} h ${minutes} min`
}

/** The age of a time, with the exact time as tooltip. */
export function age(at: Date, now: Date, zone: string): Html {
  return html`<time datetime="${at.toISOString()}" title="${exactText(at, zone)}">${ageText(at, now, zone)}</time>`
}

/** The date of a time, with the exact time as tooltip. */
export function date(at: Date, now: Date, zone: string): Html {
  return html`<time datetime="${at.toISOString()}" title="${exactText(at, zone)}">${dateText(at, now, zone)}</time>`
}

function exactText(at: Date, zone: string): string {
  return format(zone, { dateStyle: 'full', timeStyle: 'long' }).format(at)
}
