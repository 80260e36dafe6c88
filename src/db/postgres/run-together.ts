import { Query, type ClientBase, type Connection, type Submittable } from 'pg'
import { nameOfPart } from '../planned-once.ts'
import type { Result } from '../row-shape.ts'
import type { SqlValue } from '../sql.ts'
import { encodeTextArray, parserOf } from '../values.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly SqlValue[]
  /** Is called as soon as it has been run, whatever becomes of those after it. */
  answered(result: Answer): void
}

export interface Answer extends Result {
  /** The command tag without its numbers. */
  readonly command: string
}

/**
 * Runs statements in one way to the database and back. Where one fails, the server drops all that was sent after it, up to
 * the one Sync at the end (PostgreSQL manual, "Extended Query"): none of them is run, within a transaction or outside of
 * one. The error is that of the one that failed.
 */
export function runTogether(client: ClientBase, statements: readonly Statement[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new Group(statements, resolve, reject))
  })
}

/** The result of one of the statements, as a query of pg gathers it; what it does so by its type does not say. */
class Part extends Query<object> {
  declare readonly handleRowDescription: (message: unknown) => void
  declare readonly handleDataRow: (message: unknown) => void
  declare readonly handleEmptyQuery: (connection: Connection) => void
  declare readonly handleCommandComplete: (message: unknown, connection: Connection) => void
  declare readonly handleReadyForQuery: (connection: Connection) => void
}

interface SentStatement {
  readonly text: string
  readonly values: readonly WireValue[]
  /** Left out where it is planned each time. */
  readonly name: string | undefined
}

/** The names of the statements that a connection has planned, as far as it is known to have. */
const planned = new WeakMap<Connection, Set<string>>()

function plannedBy(connection: Connection): Set<string> {
  const known = planned.get(connection) ?? new Set()
  planned.set(connection, known)
  return known
}

const TYPES = { getTypeParser: (oid: number) => parserOf(oid) }

/**
 * Several queries of pg that are sent with one Sync. The pipeline of pg itself ends each of them with a Sync of its own, so
 * that a statement is run also where the BEGIN or the SET LOCAL before it has failed (docs/decisions/0052).
 */
class Group implements Submittable {
  readonly #statements: readonly SentStatement[]
  readonly #parts: readonly Part[]
  readonly #resolve: () => void
  readonly #reject: (error: unknown) => void
  #done = 0
  #unreadable: Error | null = null

  constructor(statements: readonly Statement[], resolve: () => void, reject: (error: unknown) => void) {
    this.#statements = statements.map(({ text, values }) => ({
      text,
      values: values.map(wireValue),
      name: nameOfPart(text),
    }))
    this.#parts = statements.map((statement) => this.#partOf(statement))
    this.#resolve = resolve
    this.#reject = reject
  }

  /** For whoever watches what a connection is asked, as a query of pg has it. */
  get text(): string {
    return this.#statements.map(({ text }) => text).join(';\n')
  }

  /** pg sets a callback on queries, and calls it. */
  callback(): void {}

  submit(connection: Connection): void {
    const { stream } = connection
    const known = plannedBy(connection)
    stream.cork()
    for (const { text, values, name = '' } of this.#statements) {
      // It may be planned though its answer was lost. To close what is not there is no error.
      if (name !== '' && !known.has(name)) connection.close({ type: 'S', name }, true)
      // Extended even without parameters, so that one text is one statement on both drivers.
      if (!known.has(name)) connection.parse({ name, text, types: [] }, true)
      connection.bind({ statement: name, values: [...values] }, true)
      connection.describe({ type: 'P', name: '' }, true)
      connection.execute(null, true)
    }
    connection.sync()
    stream.uncork()
  }

  handleRowDescription(message: unknown): void {
    this.#parts[this.#done]?.handleRowDescription(message)
  }

  handleDataRow(message: unknown): void {
    this.#parts[this.#done]?.handleDataRow(message)
  }

  handleEmptyQuery(connection: Connection): void {
    this.#parts[this.#done]?.handleEmptyQuery(connection)
    this.#next(connection)
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.#parts[this.#done]?.handleCommandComplete(message, connection)
    this.#next(connection)
  }

  handleReadyForQuery(): void {
    if (this.#unreadable === null) this.#resolve()
    else this.#reject(this.#unreadable)
  }

  handleError(error: unknown, connection: Connection): void {
    // One of the plans may be the reason, and all are soon made again.
    planned.delete(connection)
    this.#reject(this.#unreadable ?? error)
  }

  #next(connection: Connection): void {
    const part = this.#parts[this.#done]
    const name = this.#statements[this.#done]?.name
    if (name !== undefined) plannedBy(connection).add(name)
    this.#done += 1
    part?.handleReadyForQuery(connection)
  }

  #partOf({ answered }: Statement): Part {
    return new Part({ text: '', types: TYPES }, (error, answer) => {
      // A row has a value that cannot be read. What follows is run, and what it answers does not matter any more.
      if (error) this.#unreadable ??= error
      else if (this.#unreadable === null) answered(answer)
    })
  }
}

type WireValue = string | Buffer | null

function wireValue(value: SqlValue): WireValue {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return typeof value === 'object' ? encodeTextArray(value) : String(value)
}
