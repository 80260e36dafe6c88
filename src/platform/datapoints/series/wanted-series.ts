import { kindOf } from '../../../records/data-types/data-type.ts'
import type { Series, SeriesKey } from '../../../store/datapoints/series/series.ts'
import type { SupportedPair } from '../../../store/systems/component-support.ts'
import type { PointKey } from '../ingest/check-batch.ts'

/** A series for new points, and its number once it is known. */
export interface WantedSeries extends SeriesKey {
  readonly pair: SupportedPair
  id: number | undefined
}

/**
 * The series that are looked up together. The key of each is joined to a text once; five times took a third of a
 * look-up. Comparing all series of a component with each other would let one large model delay everybody.
 */
export class WantedList {
  readonly all: readonly WantedSeries[]
  readonly #byPlace: ReadonlyMap<string, readonly WantedSeries[]>

  constructor(wanted: Iterable<readonly [PointKey, SupportedPair]>) {
    this.all = Array.from(wanted, ([key, pair]) => toWanted(key, pair))
    this.#byPlace = Map.groupBy(this.all, placeOf)
  }

  get unnumbered(): WantedSeries[] {
    return this.all.filter(({ id }) => id === undefined)
  }

  /** Takes the numbers of the series in the list. `found` may have others, too. */
  number(found: readonly Series[]): void {
    for (const series of found) {
      const wanted = this.#byPlace.get(placeOf(series))?.find((one) => isSame(one, series))
      if (wanted !== undefined) wanted.id = series.id
    }
  }
}

function placeOf({ componentUuid, serviceUuid, characteristicUuid }: SeriesKey): string {
  return `${componentUuid} ${serviceUuid} ${characteristicUuid}`
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

/** Compares two series at one place. A component may have had another system, and a characteristic another kind. */
function isSame(one: WantedSeries, other: Series): boolean {
  return one.systemUuid === other.systemUuid && one.kind === other.kind
}
