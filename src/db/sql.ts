import type { ShapeOf } from './row-shape.ts'
import { encodeTextArray } from './values.ts'

/** A value that a statement may be given; the store encodes everything else before it gets here. */
export type SqlValue = null | boolean | number | string | Uint8Array | readonly string[]

/**
 * A handle to run statements on. Store functions take it first, so that the holder of a transaction passes it on.
 *
 * They run in the order in which they are asked for. What is asked for at once goes in one way to the database and back, along
 * with settings and locks that were asked for before: so where statements do not need the answers of each other, none is
 * waited for before the next (`Promise.all`). Of these one may fail, and then those after it fail with its error and are not run.
 */
export interface Sql {
  /**
   * Runs one statement with `$1`-style parameters and gives its rows, whose columns must be exactly those of the shape.
   * Values come out alike from every driver: int8 as number, timestamptz as Date, bytea as Uint8Array, json and jsonb
   * parsed, text[] and uuid[] as string[], all else that JavaScript has no exact type for (uuid, numeric, date,
   * interval) as text.
   */
  rows<Row extends object>(shape: ShapeOf<Row>, text: string, values?: readonly SqlValue[]): Promise<Row[]>
  /** Runs one statement of whose rows at most the number matters. */
  query(text: string, values?: readonly SqlValue[]): Promise<object[]>
  /** Gives the statements of this transaction another time than others have; `Infinity`: as long as they take. */
  limit(ms: number): Promise<void>
  /**
   * Sets these settings until the transaction ends. Not by `set_config()`, which a database of several machines does not
   * hand on to the others (docs/decisions/0036).
   */
  setLocal(settings: LocalSettings): Promise<void>
  /** Makes a savepoint, takes a lock under it, and then makes settings that go with both. */
  lockAfter(savepoint: string, lock: string, settings?: LocalSettings): Promise<void>
}

export interface LocalSettings {
  readonly [name: string]: string
}

/** The handle of a read-write transaction. It is dead once the transaction has ended. */
export interface Transaction extends Sql {
  /** Runs several statements without parameters. For migrations. */
  script(text: string): Promise<void>
  /** Runs `COPY … FROM STDIN …` on this data. */
  copyIn(text: string, data: Uint8Array): Promise<void>
  /** Runs `COPY … TO STDOUT …` and gives what it writes. */
  copyOut(text: string): Promise<Uint8Array>
}

export interface ConnectionLoad {
  readonly used: number
  readonly idle: number
  /** How much work waits for a connection. */
  readonly waiting: number
  /** Whether the database has answered when it was last asked. */
  readonly isUp: boolean
  /** For how long the oldest of the statements under way waits for its answer. */
  readonly oldestMs: number
  /** The statements that were given up, because there was no answer. */
  readonly unanswered: number
}

/** Lets a few tasks of each kind run at once. The others wait in line, and fail as UNAVAILABLE if that takes too long. */
export interface Turns {
  run<T>(kind: number, work: () => Promise<T>): Promise<T>
}

/**
 * Inside of `work` only the handle it was given may be used: a `read` or `transaction` started from within another one
 * would wait for itself (at once on PGlite, with the last connection of the pool on PostgreSQL), so it is refused.
 */
export interface Database {
  /** There is one connection, so a transaction that stays open keeps all other work out. */
  readonly isSingle?: boolean
  /**
   * The lines for transactions that wait for each other, which leave connections to all others; left out where there is one
   * connection. Changes of ways to sign in are not in the line of those that change the model.
   */
  readonly turns?: { readonly model: Turns; readonly access: Turns }
  /** A read-only snapshot: REPEATABLE READ, READ ONLY. */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** A read-write transaction, READ COMMITTED: commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T>
  /**
   * Runs one statement that is a transaction of its own and gives its rows: one way to the database and back instead of
   * four, for look-ups that every request waits for.
   */
  rows: Sql['rows']
  /** The same for a statement of whose rows at most the number matters. */
  statement: Sql['query']
  /**
   * The same as `rows`, on a connection that is kept for these: no other work makes it wait. Where the connection is lost,
   * nobody knows whether the statement was committed. The connection has DATABASE_SETTING (database-identity.ts).
   */
  rowsApart: Sql['rows']
  /**
   * The same as `rows`, on one more connection, for the few short statements that must not wait behind any other work: others
   * take a process that gives no sign of life for dead.
   */
  rowsAtOnce: Sql['rows']
  /** Runs a script of several statements without parameters, outside of any transaction. */
  script(text: string): Promise<void>
  /** The load of its connections; left out if there is only one. */
  load?(): ConnectionLoad
  close(): Promise<void>
}

/** A value as both drivers take it. */
export function encodeValue(value: SqlValue): unknown {
  return Array.isArray(value) ? encodeTextArray(value) : value
}
