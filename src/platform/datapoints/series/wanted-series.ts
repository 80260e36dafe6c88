import { kindOf } from '../../../datapoints/rules/kind-of.ts'
import type { Series, SeriesKey } from '../../../store/datapoints/series/series.ts'
import type { SupportedPair } from '../../../store/systems/component-support.ts'
import type { PointKey } from '../ingest/check-batch.ts'

/** A series that points are to be written to, and its number as soon as it is known. */
export interface WantedSeries extends SeriesKey {
  readonly pair: SupportedPair
  id: number | undefined
}

/**
 * The series that are looked up together. What the database gives is found by its component and then compared, since to
 * join four uuids to one text for each series took a third of a look-up.
 */
export class WantedList {
  readonly all: readonly WantedSeries[]
  readonly #byComponent: ReadonlyMap<string, readonly WantedSeries[]>

  constructor(wanted: Iterable<readonly [PointKey, SupportedPair]>) {
    this.all = Array.from(wanted, ([key, pair]) => toWanted(key, pair))
    this.#byComponent = Map.groupBy(this.all, ({ componentUuid }) => componentUuid)
  }

  get unnumbered(): WantedSeries[] {
    return this.all.filter(({ id }) => id === undefined)
  }

  /** Takes the numbers of those that are wanted; there may be others among them. */
  number(found: readonly Series[]): void {
    for (const series of found) {
      const wanted = this.#byComponent.get(series.componentUuid)?.find((one) => isSame(one, series))
      if (wanted !== undefined) wanted.id = series.id
    }
  }
}

function toWanted({ system, component, service, characteristic }: PointKey, pair: SupportedPair): WantedSeries {
  return {
    systemUuid: system,
    componentUuid: component,
    serviceUuid: service,
    characteristicUuid: characteristic,
    kind: kindOf(pair.characteristicBody),
    pair,
    id: undefined,
  }
}

/** What differs most often is compared first. */
function isSame(one: WantedSeries, other: Series): boolean {
  return (
    one.characteristicUuid === other.characteristicUuid &&
    one.serviceUuid === other.serviceUuid &&
    one.systemUuid === other.systemUuid &&
    one.kind === other.kind
  )
}
