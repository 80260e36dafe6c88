import { kindOf } from '../../../records/data-types/data-type.ts'
import type { Series, SeriesKey } from '../../../store/datapoints/series/series.ts'
import type { SupportedPair } from '../../../store/systems/component-support.ts'
import type { PointKey } from '../ingest/check-batch.ts'

/** A series that points are to be written to, and its number as soon as it is known. */
export interface WantedSeries extends SeriesKey {
  readonly pair: SupportedPair
  id: number | undefined
}

/**
 * The series that are looked up together. Each is joined to a text once, since to do so five times took a third of a look-up;
 * to compare all series of a component with each other would let one large model hold up everybody.
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

  /** Takes the numbers of those that are wanted; there may be others among them. */
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

/** Compares two series at one place: a component may have had another system, and a characteristic another kind. */
function isSame(one: WantedSeries, other: Series): boolean {
  return one.systemUuid === other.systemUuid && one.kind === other.kind
}
