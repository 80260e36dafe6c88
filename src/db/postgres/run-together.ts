import { Query, type ClientBase, type Connection, type Submittable } from 'pg'
import type { Result } from '../row-shape.ts'
import type { SqlValue } from '../sql.ts'
import { encodeTextArray, parserOf } from '../values.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly SqlValue[]
  /** Called as soon as the statement has run, even if later ones fail. */
  answered(result: Answer): void
}

export interface Answer extends Result {
  /** The command tag without its numbers. */
  readonly command: string
}

/**
 * Runs statements in one round trip. If one fails, the server skips all later ones up to the Sync at the end
 * (PostgreSQL manual, "Extended Query"), within a transaction or outside of one. The result is the error of the failed
 * statement.
 */
export function runTogether(client: ClientBase, statements: readonly Statement[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new Group(statements, resolve, reject))
  })
}

/** Collects the result of one statement, like a query of pg. The types of pg lack the methods for it. */
class Part extends Query<object> {
  declare readonly handleRowDescription: (message: unknown) => void
  declare readonly handleDataRow: (message: unknown) => void
  declare readonly handleEmptyQuery: (connection: Connection) => void
  declare readonly handleCommandComplete: (message: unknown, connection: Connection) => void
  declare readonly handleReadyForQuery: (connection: Connection) => void
}

const TYPES = { getTypeParser: (oid: number) => parserOf(oid) }

/**
 * Several queries of pg that are sent with one Sync. The pipeline of pg sends a Sync after each query, so a statement
 * would run even if the BEGIN or the SET LOCAL before it failed (docs/decisions/0052).
 */
class Group implements Submittable {
  readonly #statements: readonly { readonly text: string; readonly values: readonly WireValue[] }[]
  readonly #parts: readonly Part[]
  readonly #resolve: () => void
  readonly #reject: (error: unknown) => void
  #done = 0
  #unreadable: Error | null = null

  constructor(statements: readonly Statement[], resolve: () => void, reject: (error: unknown) => void) {
    this.#statements = statements.map(({ text, values }) => ({ text, values: values.map(wireValue) }))
    this.#parts = statements.map((statement) => this.#partOf(statement))
    this.#resolve = resolve
    this.#reject = reject
  }

  /** The text of a query of pg, for code that observes the queries of a connection. */
  get text(): string {
    return this.#statements.map(({ text }) => text).join(';\n')
  }

  /** pg overwrites this member of a query, and calls it. */
  callback(): void {}

  submit(connection: Connection): void {
    const { stream } = connection
    stream.cork()
    for (const { text, values } of this.#statements) {
      // The extended protocol is used even without parameters, so that both drivers accept only one statement per text.
      connection.parse({ name: '', text, types: [] }, true)
      connection.bind({ values: [...values] }, true)
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

  handleError(error: unknown): void {
    this.#reject(this.#unreadable ?? error)
  }

  #next(connection: Connection): void {
    const part = this.#parts[this.#done]
    this.#done += 1
    part?.handleReadyForQuery(connection)
  }

  #partOf({ answered }: Statement): Part {
    return new Part({ text: '', types: TYPES }, (error, answer) => {
      // A row has a value that cannot be read. The later statements still run, but their answers are ignored.
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
