import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { HoldfastError } from '../../lib/errors.ts'
import { breather } from '../breather.ts'
import { makeDirectories, makeFilesPrivate, makePrivate } from '../data-directory.ts'
import { NOTE_DATABASE } from '../database-identity.ts'
import { assertFiles, assertRoomToOpen, assertRoomToWrite, faultOfDirectory, MOST_FILES } from './disk-room.ts'
import {
  createNestingGuard,
  limitText,
  runReading,
  runWriting,
  type Connection,
  type NestingGuard,
} from '../run-transaction.ts'
import { toRows } from '../row-shape.ts'
import { type Database, encodeValue } from '../sql.ts'
import { storageError } from '../storage-error.ts'
import { OID, PARSERS, SESSION_SETTINGS } from '../values.ts'

export interface PgliteOptions {
  /** A dump of a data directory to start from, which takes a sixth of the time of a new one. */
  readonly template?: Blob
}

/**
 * Opens the database in `directory`, which this process must own (see directory-lock.ts), or a new one in memory.
 * PGlite never calls fsync: committed data survives the end of the process, but not a power loss.
 * An open PGlite can keep the process alive, so the caller must close it.
 */
export async function openPglite(directory: string, options: PgliteOptions = {}): Promise<Database> {
  if (directory === 'memory') return createDatabase(await start('memory://', options))
  assertFiles()
  assertRoomToOpen(dirname(directory))
  if (!existsSync(join(directory, 'PG_VERSION'))) await initialise(directory, options)
  makePrivate(directory)
  return createDatabase(await reopen(directory), () => assertRoomToWrite(directory))
}

async function reopen(directory: string): Promise<PGlite> {
  const version = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim()
  if (/^\d+$/.test(version) && version !== OWN_VERSION) {
    const message = `the database in ${directory} is of PostgreSQL ${version}, and this release of Holdfast has ${OWN_VERSION}; start the release that made it`
    throw new HoldfastError('CONFLICT', message)
  }
  let reason = ''
  const note = (text: string): boolean => {
    reason = FATAL.exec(text)?.[1] ?? reason
    return true
  }
  try {
    return await start(directory, { note })
  } catch (cause) {
    throw storageError(cause, DISK) ?? unopened(directory, reason, cause)
  }
}

/** PostgreSQL writes these lines if it cannot start. The error itself has no reason. */
const FATAL = /(?:FATAL|PANIC): +(.*)/
const CODES: readonly (readonly [RegExp, string])[] = [
  [/No file descriptors available|Too many open files/, 'EMFILE'],
  [/No space left/, 'ENOSPC'],
  [/I\/O error/, 'EIO'],
  [/Read-only file system/, 'EROFS'],
]

/** Makes the error. It calls the database damaged only if PostgreSQL could read and write its files. */
function unopened(directory: string, reason: string, cause: unknown): HoldfastError {
  const code = CODES.find(([text]) => text.test(reason))?.[1]
  const fault = storageError({ code }, DISK) ?? faultOfDirectory(directory)
  if (fault !== null) return fault
  const what = `the database in ${directory} cannot be opened`
  const isForeign = /Permission denied|Operation not permitted/.test(reason)
  const message = isForeign
    ? `${what}: ${reason}. Another user has made a file in it; change the owner of all files to the user of this process (chown -R)`
    : `${what}, although its disk has space and is writable: it is damaged${reason && ` (${reason})`}. Restore it from a backup. To start with an empty database, move this one away and keep it`
  return new HoldfastError(isForeign ? 'CONFLICT' : 'UNAVAILABLE', message, { cause })
}

/** The major version of PostgreSQL in this PGlite. */
const OWN_VERSION = '18'
const DISK = 'the disk of the database'

/** Makes the database beside its place, and renames it when complete. A killed process leaves nothing unfinished. */
async function initialise(directory: string, options: PgliteOptions): Promise<void> {
  const unfinished = `${directory}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  makeDirectories(dirname(directory))
  try {
    mkdirSync(unfinished, { mode: 0o700 })
    const pglite = await start(unfinished, options)
    await pglite.close()
    makeFilesPrivate(unfinished)
    await rename(unfinished, directory)
  } catch (cause) {
    throw storageError(cause, DISK) ?? faultOfDirectory(dirname(directory)) ?? cause
  }
}

/**
 * Lets V8 optimize a function of PGlite only after it has run for long. By default V8 optimizes a thousand functions in
 * the first second, which takes as much processor time as the work of a command. A server loses nothing by waiting.
 */
const RUN_FOR_LONG = '--wasm-tiering-budget=200000000'

const START = [
  ...PGlite.defaultStartParams,
  // The timer of this setting would keep the process alive for ever if the start fails.
  '-c',
  'log_startup_progress_interval=0',
  // By default PostgreSQL may open all files of the process, and leave none for connections.
  '-c',
  `max_files_per_process=${MOST_FILES}`,
]

async function start(
  dataDir: string,
  { template, note }: PgliteOptions & { readonly note?: PGliteOptions['onStderr'] },
): Promise<PGlite> {
  setFlagsFromString(RUN_FOR_LONG)
  const pglite = await PGlite.create({
    dataDir,
    parsers: PARSERS,
    serializers: { [OID.bytea]: keepBytes },
    startParams: START,
    ...(note && { onStderr: note }),
    ...(template && { loadDataDir: template }),
  })
  try {
    await pglite.exec(`${SESSION_SETTINGS}; ${NOTE_DATABASE}`)
    return pglite
  } catch (error) {
    await pglite.close().catch(() => undefined)
    throw error
  }
}

/** PGlite sends bytes in binary form if a serializer returns them unchanged, although its type requires a string. */
function keepBytes(bytes: unknown): string {
  return bytes as string
}

/** Dumps the data directory of an in-memory database with the given content, to use it as a `template`. */
export async function dumpPglite(
  prepare: (database: Database) => Promise<void>,
  options: PgliteOptions = {},
): Promise<Blob> {
  const pglite = await start('memory://', options)
  try {
    await prepare(createDatabase(pglite))
    return await pglite.dumpDataDir('none')
  } finally {
    await pglite.close()
  }
}

/** Makes the database. It calls `assertRoom` before all work that can write much data. */
function createDatabase(pglite: PGlite, assertRoom: () => void = () => undefined): Database {
  const connection = connect(pglite)
  const writing = withRoom(connection, assertRoom)
  const exclusively = createQueue(createNestingGuard())
  const rowsOfWriting: Database['rowsApart'] = (shape, text, values = []) =>
    exclusively(async () => toRows(shape, await writing.query(text, values), text))
  return {
    isSingle: true,
    read: (work) => exclusively(() => runReading(connection, work)),
    transaction: (work) => exclusively(() => runWriting(writing, work)),
    rows: (shape, text, values = []) =>
      exclusively(async () => toRows(shape, await connection.query(text, values), text)),
    rowsApart: rowsOfWriting,
    rowsAtOnce: rowsOfWriting,
    statement: (text, values = []) => exclusively(async () => (await connection.query(text, values)).rows),
    script: (text) => exclusively(() => writing.script(text)),
    close: () => exclusively(() => closeOnce(pglite)),
  }
}

async function closeOnce(pglite: PGlite): Promise<void> {
  if (!pglite.closed) await pglite.close()
}

function withRoom(connection: Connection, assertRoom: () => void): Connection {
  return {
    ...connection,
    query: async (text, values) => {
      assertRoom()
      return connection.query(text, values)
    },
    // There is no check before the end of a transaction. It frees space, or keeps work that had enough space.
    script: async (text) => {
      assertRoom()
      return connection.script(text)
    },
    ahead: async (texts) => {
      assertRoom()
      return connection.ahead(texts)
    },
    copyIn: async (text, data) => {
      assertRoom()
      await connection.copyIn(text, data)
    },
  }
}

/** Runs one piece of work after another, because there is only one connection. */
function createQueue(guard: NestingGuard): NestingGuard {
  let last: Promise<unknown> = Promise.resolve()
  return (work) =>
    guard(() => {
      const run = last.then(work)
      last = run.catch(() => undefined)
      return run
    })
}

/** PGlite uses a file in place of the standard input and output of PostgreSQL. */
const [STDIN, FROM_BLOB] = [/\bfrom stdin\b/i, `from '/dev/blob'`]
const [STDOUT, TO_BLOB] = [/\bto stdout\b/i, `to '/dev/blob'`]

function connect(pglite: PGlite): Connection {
  // A statement runs on this thread. Without a pause, no other work would run between two statements.
  const breathe = breather()
  const run = async (text: string): Promise<string | undefined> => {
    const results = await pglite.exec(text).catch(rethrow)
    return results.at(-1)?.command
  }
  return {
    async query(text, values) {
      // The parsers are passed again, because PGlite replaces the parsers of array types when it starts.
      const result = await pglite.query<object>(text, values.map(encodeValue), { parsers: PARSERS }).catch(rethrow)
      await breathe()
      return result
    },
    ahead: async (texts) => void (await run(texts.join('; '))),
    script: async (text) => void (await run(text)),
    limit: async (ms) => void (await run(limitText(ms))),
    async copyIn(text, data) {
      const blob = new Blob([data as Uint8Array<ArrayBuffer>])
      await pglite.query(text.replace(STDIN, FROM_BLOB), [], { blob }).catch(rethrow)
    },
    async copyOut(text) {
      const { blob } = await pglite.query(text.replace(STDOUT, TO_BLOB)).catch(rethrow)
      return blob === undefined ? new Uint8Array() : blob.bytes()
    },
    commit: () => run('COMMIT'),
    rollBack: async () => void (await run('ROLLBACK').catch(() => undefined)),
  }
}

/** Removes the statement and the parameters that PGlite adds to its errors. They can hold secrets. */
function rethrow(error: unknown): never {
  if (error instanceof Error) {
    for (const name of ['query', 'params', 'queryOptions']) Reflect.deleteProperty(error, name)
  }
  throw storageError(error, DISK) ?? error
}
