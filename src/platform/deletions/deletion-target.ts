import type { DeletedSeries, DeletionCounts, DeletionKind } from '../../../generated/entities.ts'
import type { ErasedRange } from '../../datapoints/chunks/erased.ts'
import type { Sql } from '../../db/sql.ts'
import type { EntityOf } from '../../records/entity.ts'
import type { DomainContext } from '../domain-context.ts'
import type { Reach } from '../systems/reach.ts'

export type Deletion = EntityOf<'Deletion'>

/** Datapoints of the series that a filter selects. Times are microseconds since 1970; null has no bound. */
export interface DatapointsToDelete {
  readonly series: DeletedSeries
  readonly from: number | null
  readonly to: number | null
}

/** The thing that somebody wants to delete. */
export type Wanted =
  | { readonly kind: Exclude<DeletionKind, 'DATAPOINTS'>; readonly uuid: string }
  | ({ readonly kind: 'DATAPOINTS' } & DatapointsToDelete)

/** A transaction that holds the lock of the domain, and the person who deletes. */
export interface Deleting {
  readonly sql: Sql
  readonly context: DomainContext
  readonly actor: Reach
}

/** The thing as it is found under the lock of the domain, at the preview and again at the deletion. */
export interface Found {
  readonly described: Pick<Deletion, 'subject' | 'name' | 'series' | 'from' | 'to'>
  /** The counts without datapoints, which are counted without the lock. */
  readonly counts: Omit<DeletionCounts, 'datapoints'>
  readonly seriesIds: readonly number[]
  /** A text that differs if something else would be deleted than at the preview. */
  readonly state: string
  /** Whether flushes that arrive later must be told from earlier ones. Something ARCHIVED gets no flush. */
  readonly needsFence: boolean
}

/** The moment of the preview. */
export interface Moment {
  /** The highest number of its series. */
  readonly lastSeries: number
  /** The last number of a flush that was stored before it. */
  readonly through: number
}

/** How things of one kind are found and deleted. */
export interface DeletionTarget<One extends Wanted> {
  find(deleting: Deleting, wanted: One, moment: Moment | null): Promise<Found>
  /**
   * Deletes a part of its data, in a transaction of its own, and tells whether there may be more. Left out if there is
   * little. Changes of the domain wait for each transaction.
   */
  readonly removeSome?: (deleting: Deleting, wanted: One) => Promise<boolean>
  /** Deletes it. Raising the version of the model must come last, so this does it. */
  remove(deleting: Deleting, found: Found, moment: Moment, deletionUuid: string): Promise<void>
}

/** The range of times and flushes whose points are deleted. */
export function rangeOf({ from, to }: Pick<DatapointsToDelete, 'from' | 'to'>, { through }: Moment): ErasedRange {
  return { from: from ?? 0, to: to ?? Number.MAX_SAFE_INTEGER, through }
}

export const NOTHING: Found['counts'] = {
  systems: 0,
  components: 0,
  events: 0,
  setpoints: 0,
  credentials: 0,
  idempotencyKeys: 0,
}
