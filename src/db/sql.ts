import type { ShapeOf } from './row-shape.ts'
import { encodeTextArray } from './values.ts'

/** A parameter of a statement. The store encodes all other values before it passes them here. */
export type SqlValue = null | boolean | number | string | Uint8Array | readonly string[]

/**
 * A handle to run statements. It is the first parameter of store functions, so that callers can share a transaction.
 *
 * Statements run in the order of the calls. Calls at the same time take one round trip, together with earlier settings
 * and locks. So do not wait between statements that do not need the results of each other (`Promise.all`). If one of
 * them fails, the later ones do not run and fail with the same error.
 */
export interface Sql {
  /**
   * Runs one statement with `$1`-style parameters, and returns its rows. They must have exactly the columns of the
   * shape. Every driver returns the same values: int8 as number, timestamptz as Date, bytea as Uint8Array, json and
   * jsonb parsed, text[] and uuid[] as string[], and types without an exact JavaScript type (uuid, numeric, date,
   * interval) as text.
   */
  rows<Row extends object>(shape: ShapeOf<Row>, text: string, values?: readonly SqlValue[]): Promise<Row[]>
  /** Runs one statement. Its rows have no type; use at most their number. */
  query(text: string, values?: readonly SqlValue[]): Promise<object[]>
  /** Sets another time limit for the statements of this transaction; `Infinity` means no limit. */
  limit(ms: number): Promise<void>
  /**
   * Changes settings until the transaction ends. It does not use `set_config()`, because a database of several machines
   * does not pass that on to the other machines (docs/decisions/0082).
   */
  setLocal(settings: LocalSettings): Promise<void>
  /** Makes a savepoint, takes a lock after it, and then changes settings. */
  lockAfter(savepoint: string, lock: string, settings?: LocalSettings): Promise<void>
}

export interface LocalSettings {
  readonly [name: string]: string
}

/** The handle of a read-write transaction. It stops working at the end of the transaction. */
export interface Transaction extends Sql {
  /** Runs several statements without parameters. For migrations. */
  script(text: string): Promise<void>
  /** Runs `COPY … FROM STDIN …` on this data. */
  copyIn(text: string, data: Uint8Array): Promise<void>
  /** Runs `COPY … TO STDOUT …`, and returns its output. */
  copyOut(text: string): Promise<Uint8Array>
}

export interface ConnectionLoad {
  readonly used: number
  readonly idle: number
  /** The number of tasks that wait for a connection. */
  readonly waiting: number
  /** Tells whether the database answered when it was last asked. */
  readonly isUp: boolean
  /** The time that the oldest running statement has waited for its answer. */
  readonly oldestMs: number
  /** The number of statements that were given up because there was no answer. */
  readonly unanswered: number
}

/** Lets a few tasks of each kind run at once. The others wait, and fail as UNAVAILABLE if that takes too long. */
export interface Turns {
  run<T>(kind: number, work: () => Promise<T>): Promise<T>
}

/**
 * Inside `work`, use only the handle that it gets. A `read` or `transaction` inside another one is rejected, because it
 * would wait for itself (always on PGlite, and on the last connection of the pool on PostgreSQL).
 */
export interface Database {
  /** Set if there is only one connection. An open transaction then blocks all other work. */
  readonly isSingle?: boolean
  /** Set if Citus can distribute the tables over several machines. */
  readonly isDistributed?: boolean
  /** The domains whose node of Citus does not answer. Absent if all are on one machine. */
  away?(): ReadonlySet<number>
  /**
   * Lines for transactions that wait for each other, so that they leave connections for all others. Absent if there is
   * only one connection. Changes of ways to sign in have a separate line from changes of the model.
   */
  readonly turns?: { readonly model: Turns; readonly access: Turns }
  /** A read-only snapshot: REPEATABLE READ, READ ONLY. */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /**
   * A read-write transaction, READ COMMITTED: commits when `work` resolves, rolls back when it throws. `work` runs again
   * after a deadlock, so it must not change anything outside of the transaction that a second run would repeat.
   */
  transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T>
  /**
   * Runs one statement in its own transaction, and returns its rows. It takes one round trip instead of four, for
   * look-ups that every request waits for.
   */
  rows: Sql['rows']
  /** Like `rows`, for a statement without a shape; use at most the number of its rows. */
  statement: Sql['query']
  /**
   * Like `rows`, on a connection that only these statements use, so that no other work delays them. If the connection
   * is lost, it is unknown whether the statement was committed. The connection has DATABASE_SETTING
   * (database-identity.ts).
   */
  rowsApart: Sql['rows']
  /**
   * Like `rows`, on another separate connection, for the few short statements that must not wait for other work. These
   * are signs of life: without them, other processes assume that this process is dead.
   */
  rowsAtOnce: Sql['rows']
  /** Runs a script of several statements without parameters, outside any transaction. */
  script(text: string): Promise<void>
  /** The load of the connections to the database; absent if there is only one connection. */
  load?(): ConnectionLoad
  close(): Promise<void>
}

/** Encodes a value for both drivers. */
export function encodeValue(value: SqlValue): unknown {
  return Array.isArray(value) ? encodeTextArray(value) : value
}
