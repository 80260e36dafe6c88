import { appendFileSync } from 'node:fs'
import type { Database, LocalSettings, Sql, SqlValue, Transaction } from '../../src/db/sql.ts'

/** A statement as the store sent it, with its values and everything that was in force. One line of JSON. */
export interface Captured {
  readonly text: string
  /** Bytes are `{ "base64": … }`. */
  readonly values: readonly (SqlValue | { readonly base64: string })[]
  /** The settings of its transaction, in their order. */
  readonly settings: LocalSettings
  /** `alone` is outside a transaction. The data of a COPY is the only value. */
  readonly kind: 'statement' | 'alone' | 'copy'
  readonly isReading: boolean
  /** Its place in the source: `src/store/domains.ts:23`. */
  readonly from: string
}

/** The file that gets the statements (`npm run statements`). The ordinary suite captures nothing. */
const FILE = process.env['CAPTURED_STATEMENTS']

/** Statements that need the one before them. The replay makes partitions, and reads from cursors, by itself. */
const OF_A_SEQUENCE =
  /^\s*(?:create|alter|drop|truncate|fetch|close|savepoint|rollback|release)\b|\bdatapoint_chunks_\d/

/** Longer values of a statement are not captured, unless it has no shorter ones. */
const LONG = 20_000

/** The length of the values with which a statement was captured. */
const captured = new Map<string, number>()

/** Statements are the same if only the numbers of their partitions differ. */
export const sameText = (text: string): string => text.replace(/\b(datapoints?_\w*?_)\d+\b/g, '$1#')

/** The same database, which notes each statement of the store with the longest values that are sent. */
export function captureStatements(database: Database): Database {
  if (FILE === undefined) return database
  const file = FILE
  const note = (text: string, values: readonly SqlValue[], around: Around, kind: Captured['kind']): void => {
    const from = OURS.exec(callerNow())?.[1]
    if (from === undefined || OF_A_SEQUENCE.test(text)) return
    const size = values.reduce<number>((sum, value) => sum + (value === null ? 0 : String(value).length), 1)
    const known = captured.get(sameText(text)) ?? 0
    if (known > 0 && (size < 2 * known || size > LONG)) return
    captured.set(sameText(text), size)
    const line: Captured = { text, values: values.map(toJson), ...around, settings: { ...around.settings }, kind, from }
    appendFileSync(file, `${JSON.stringify(line)}\n`)
  }
  const noted = (
    { rows, query }: Pick<Sql, 'rows'> & Partial<Pick<Sql, 'query'>>,
    around: Around,
    kind: Captured['kind'] = 'statement',
  ) => ({
    rows: ((shape, text, values = []) => {
      note(text, values, around, kind)
      return rows(shape, text, values)
    }) satisfies Sql['rows'],
    query: async (text: string, values: readonly SqlValue[] = []) => {
      note(text, values, around, kind)
      return (await query?.(text, values)) ?? []
    },
  })
  const within = <Handle extends Sql>(sql: Handle, around: Around): Handle => ({
    ...sql,
    ...noted(sql, around),
    setLocal: (settings: LocalSettings) => {
      Object.assign(around.settings, settings)
      return sql.setLocal(settings)
    },
    lockAfter: (savepoint: string, lock: string, settings?: LocalSettings) => {
      note(lock, [], around, 'statement')
      return sql.lockAfter(savepoint, lock, settings)
    },
  })
  const withCopies = (sql: Transaction, around: Around): Transaction => ({
    ...within(sql, around),
    copyIn: (text, data) => {
      note(text, [data], around, 'copy')
      return sql.copyIn(text, data)
    },
  })
  const alone: Around = { settings: {}, isReading: false }
  return {
    ...database,
    rows: noted(database, alone, 'alone').rows,
    statement: noted({ rows: database.rows, query: database.statement }, alone, 'alone').query,
    rowsApart: noted({ rows: database.rowsApart }, alone, 'alone').rows,
    rowsAtOnce: noted({ rows: database.rowsAtOnce }, alone, 'alone').rows,
    read: (work) => database.read((sql) => work(within(sql, { settings: {}, isReading: true }))),
    transaction: (work) => database.transaction((sql) => work(withCopies(sql, { settings: {}, isReading: false }))),
  }
}

interface Around {
  readonly settings: Record<string, string>
  readonly isReading: boolean
}

function toJson(value: SqlValue): Captured['values'][number] {
  return value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value
}

const OURS = /\/(src\/(?:store|db)\/[^:]+:\d+)/

/** The line of the stack that calls the database. A test may call it, too, even within a transaction of the store. */
function callerNow(): string {
  const lines = (new Error('here').stack ?? '').split('\n').slice(1)
  return lines.find((line) => !line.includes('captured-statements.ts')) ?? ''
}
