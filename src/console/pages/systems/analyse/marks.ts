import { missingRight } from '../../../../auth/require-right.ts'
import { timestampText } from '../../../../datapoints/wire/timestamp-text.ts'
import { enforcedBoundary } from '../../../../records/data-types/data-type.ts'
import type { RecordBody } from '../../../../records/record-type.ts'
import { listRefusedDatapoints, type RefusedDatapoint } from '../../../../platform/datapoints/refused/list-refused.ts'
import {
  listCharacteristicChanges,
  type CharacteristicChange,
} from '../../../../platform/imports/history/characteristic-changes.ts'
import { listSetpoints } from '../../../../platform/setpoints/list-setpoints.ts'
import type { Setpoint } from '../../../../platform/setpoints/setpoint.ts'
import { listEvents, type Event } from '../../../../platform/systems/events.ts'
import type { SystemSeries } from '../../../../platform/datapoints/reading/series/system-series.ts'
import type { Visit } from '../../../page.ts'
import type { Window } from './span.ts'

/** The marks of the window: everything that happened besides values. */
export interface Marks {
  readonly setpoints: readonly Setpoint[]
  readonly events: readonly Event[]
  readonly refused: readonly RefusedDatapoint[]
  /**
   * Changes of the chosen characteristics since the beginning of the window. The boundaries of earlier times are
   * computed from them.
   */
  readonly changes: readonly CharacteristicChange[]
  /** Whether some kind has more marks than are listed. */
  readonly hasMore: boolean
}

/** The maximum number of marks of each kind. */
export const MOST_MARKS = 200

/** Reads the marks of the window for the system and the chosen series, as far as the person may see them. */
export async function readMarks(
  { context, actor, caller }: Pick<Visit, 'context' | 'actor' | 'caller'>,
  systemUuid: string,
  chosen: readonly SystemSeries[],
  window: Window,
): Promise<Marks> {
  const range = { systems: [systemUuid], from: textOf(window.from), to: textOf(window.to) }
  const page = { first: MOST_MARKS, after: null, mostCounted: 0 }
  const events = await listEvents(context, actor, range, page)
  const refused = await listRefusedDatapoints(context, actor, range, page)
  const ofChosen = { ...range, components: uuidsOf(chosen, 'componentUuid') }
  const setpoints =
    chosen.length === 0
      ? { items: [], hasNext: false }
      : await listSetpoints(context, actor, ofChosen, { ...page, isOldestFirst: false, hasBeginnings: true })
  const mayReadModel = missingRight('', 'model:read', caller) === null
  const characteristics = new Set(mayReadModel ? uuidsOf(chosen, 'characteristicUuid') : [])
  const changed = await listCharacteristicChanges(context, characteristics, new Date(window.from))
  return {
    setpoints: setpoints.items.filter((one) => chosen.some((series) => isOf(series, one))),
    events: events.items,
    refused: refused.items.filter((one) => chosen.length === 0 || chosen.some((series) => isOf(series, one))),
    changes: changed.changes,
    hasMore: events.hasNext || refused.hasNext || setpoints.hasNext || changed.hasMore,
  }
}

function uuidsOf(chosen: readonly SystemSeries[], name: 'componentUuid' | 'characteristicUuid'): string[] {
  return [...new Set(chosen.map((series) => series[name]))]
}

interface Named {
  readonly componentUuid: string | null
  readonly serviceUuid: string | null
  readonly characteristicUuid: string | null
}

export function isOf(series: SystemSeries, { componentUuid, serviceUuid, characteristicUuid }: Named): boolean {
  return (
    series.componentUuid === componentUuid &&
    series.serviceUuid === serviceUuid &&
    series.characteristicUuid === characteristicUuid
  )
}

function textOf(ms: number): string {
  return timestampText(Math.round(ms * 1_000))
}

/** A boundary of a characteristic, and the time in which it applied. */
export interface BoundaryStretch {
  readonly name: 'boundaryMin' | 'boundaryMax'
  readonly value: number
  readonly from: number
  readonly to: number
}

/** The boundaries during the window. They are computed from the present ones, back from change to change. */
export function boundariesOf(
  series: SystemSeries,
  changes: readonly CharacteristicChange[],
  { from, to }: Window,
): BoundaryStretch[] {
  const own = changes.filter(({ characteristicUuid }) => characteristicUuid === series.characteristicUuid)
  return (['boundaryMin', 'boundaryMax'] as const).flatMap((name) => {
    const stretches: BoundaryStretch[] = []
    let end = to
    let body: RecordBody | null = series.characteristic
    const add = (since: number): void => {
      const value = body === null ? null : enforcedBoundary(body, name)
      const start = Math.max(since, from)
      if (typeof value !== 'number' || start >= end) return
      const [next] = stretches
      // A change of another field leaves the boundary as it was.
      if (next?.value === value && next.from === end) stretches.splice(0, 1, { ...next, from: start })
      else stretches.unshift({ name, value, from: start, to: end })
    }
    for (const { apply, before } of own) {
      const at = apply.at.getTime()
      if (at < end) add(at)
      end = Math.min(end, at)
      body = before
    }
    add(from)
    return stretches
  })
}
