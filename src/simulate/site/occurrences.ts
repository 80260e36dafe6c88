import { batteryWentLow, restartBefore, spanOf } from '../house/habits.ts'
import { legionellaBefore, lockAt } from '../house/heating.ts'
import { MINUTE } from '../house/local-time.ts'
import { weatherAt } from '../house/weather.ts'
import type { Site } from './site.ts'

/** Something that began or ended. A single point in time has no end. */
export interface Occurrence {
  /** The code of the event model. */
  readonly model: string
  readonly component: string
  /** The time when the event began, which identifies it. */
  readonly from: number
  /** The time when the event ended; null if it has not ended, or if it is a single point in time. */
  readonly to: number | null
  readonly isSinglePoint: boolean
}

interface Watch {
  readonly model: string
  readonly component: string
  /** Returns the span at a time, or the last single point, which has no `to`; null if there is none. */
  at(time: number): { readonly from: number; readonly to?: number } | null
}

/** Lists all occurrences of a site that began or ended after `before` and up to `time`. */
export function occurrencesBetween(site: Site, before: number, time: number): Occurrence[] {
  return watchesOf(site).flatMap(({ model, component, at }): Occurrence[] => {
    const [was, is] = [at(before), at(time)]
    if (was?.from === is?.from) return []
    const ended = was?.to === undefined ? [] : [{ from: was.from, to: was.to, isSinglePoint: false }]
    const begun = is === null ? [] : [{ from: is.from, to: null, isSinglePoint: is.to === undefined }]
    return [...ended, ...begun].map((one) => ({ model, component, ...one }))
  })
}

/** A window that has been open for this long counts as forgotten. */
const PATIENCE = 20 * MINUTE

function watchesOf({ plan: { seed, id, rooms, components }, settings }: Site): Watch[] {
  const fault = (time: number) => spanOf('fault', seed, id, time)
  const forgotten = (room: string) => (time: number) => {
    const span = spanOf('forgotten', seed, room, time)
    const isLong = span !== null && time >= span.from + PATIENCE && weatherAt(seed, span.from).mean < 15
    return isLong ? { ...span, from: span.from + PATIENCE } : null
  }
  return [
    { model: 'heat-pump-fault', component: 'heat-pump', at: fault },
    { model: 'high-pressure-trip', component: 'heat-pump', at: (time) => pointAt(fault(time)?.from) },
    { model: 'grid-lock-active', component: 'heat-pump', at: (time) => lockAt(seed, time) },
    { model: 'legionella-cycle-done', component: 'hot-water', at: (time) => pointAt(legionellaBefore(settings, time)) },
    { model: 'firmware-updated', component: 'gateway', at: (time) => pointAt(restartBefore(time)) },
    ...rooms.map(({ name }, room) => ({
      model: 'window-left-open',
      component: `window-${room}`,
      at: forgotten(`${id} ${name}`),
    })),
    ...components
      .filter((one) => one.room !== null || one.id === 'weather')
      .map((one) => ({
        model: 'sensor-battery-low',
        component: one.id,
        at: (time: number) => pointAt(batteryWentLow(seed, `${id} ${one.id}`, time)),
      })),
  ]
}

function pointAt(from: number | undefined): { readonly from: number } | null {
  return from === undefined ? null : { from }
}
