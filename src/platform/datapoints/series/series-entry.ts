import type { JsonLiteral } from '../../../datapoints/wire/json-literal.ts'
import type { SystemPart } from '../../systems/reach.ts'
import type { KnownModel, KnownPair, WrittenUuid } from './known-models.ts'

export interface KnownSystem extends WrittenUuid {
  /** The cache of the system's domain. */
  readonly home: { evict(component: KnownComponent): void }
  readonly unitUuid: string | null
  readonly components: KnownComponent[]
}

export interface KnownComponent extends WrittenUuid {
  readonly system: KnownSystem
  readonly model: KnownModel
  /** The series for which points were written. The index of each is the place of its pair in the model. */
  readonly series: (SeriesEntry | undefined)[]
  /** The number of the last batch before a series was added. */
  since: number
  /** The place of the component among the components of all domains (cache-room.ts). */
  place: number
}

/** A series that accepts points. There may be a million entries, so they share data. */
export class SeriesEntry implements SystemPart {
  readonly id: number
  readonly component: KnownComponent
  readonly pair: KnownPair
  /** The entry that followed this one in the last batch. */
  usuallyNext: SeriesEntry | undefined = undefined
  /** Whether the cache dropped this entry, so that only another entry still refers to it. */
  isGone = false
  /** The number of the batch being read, and its points of this series (batch-times.ts). */
  batch = 0
  arrivals = 0
  earliest = Infinity
  latest = -Infinity

  constructor(id: number, component: KnownComponent, pair: KnownPair) {
    this.id = id
    this.component = component
    this.pair = pair
  }

  get systemUuid(): string {
    return this.component.system.uuid
  }

  get unitUuid(): string | null {
    return this.component.system.unitUuid
  }

  get componentUuid(): string {
    return this.component.uuid
  }

  get serviceUuid(): string {
    return this.pair.service.uuid
  }

  get characteristicUuid(): string {
    return this.pair.characteristic.uuid
  }

  /** The uuid of the series for the field with this index in UUID_FIELDS, as a literal of a request body. */
  writtenAt(variable: 0 | 1 | 2 | 3): JsonLiteral {
    switch (variable) {
      case 0:
        return this.pair.characteristic.literal
      case 1:
        return this.component.literal
      case 2:
        return this.pair.service.literal
      case 3:
        return this.component.system.literal
    }
  }
}
