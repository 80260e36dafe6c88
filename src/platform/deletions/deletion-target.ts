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

/** A transaction, and the person who deletes. It holds the lock of the domain, except for most previews. */
export interface Deleting {
  readonly sql: Sql
  readonly context: DomainContext
  readonly actor: Reach
}

/** The target, which is looked up at the preview and again at the deletion. */
export interface Found {
  readonly described: Pick<Deletion, 'subject' | 'name' | 'series' | 'from' | 'to'>
  /** The counts without datapoints, which are counted without the lock. */
  readonly counts: Omit<DeletionCounts, 'datapoints'>
  readonly seriesIds: readonly number[]
  /** A text that changes if the deletion would delete other things than the preview showed. */
  readonly state: string
  /** Whether the deletion must separate earlier from later flushes. An ARCHIVED target gets no flushes. */
  readonly needsFence: boolean
}

/** The moment of the preview. */
export interface Moment {
  /** The highest number of a series of the target. */
  readonly lastSeries: number
  /** The last number of a flush that was stored before it. */
  readonly through: number
}

/** How things of one kind are found and deleted. */
export interface DeletionTarget<One extends Wanted> {
  find(deleting: Deleting, wanted: One, moment: Moment | null): Promise<Found>
  /**
   * Deletes and counts a part of the data in a separate transaction. Other changes of the domain wait for each
   * transaction. Left out if a target has little data.
   */
  readonly removeSome?: (deleting: Deleting, wanted: One) => Promise<Pick<DeletionCounts, 'events' | 'setpoints'>>
  /** Deletes the target. It also raises the version of the model, because that must come last. */
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
