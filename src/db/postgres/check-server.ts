import { type Pool, Client } from 'pg'
import { HoldfastError } from '../../lib/errors.ts'
import { BOOL, INT4, TEXT } from '../columns.ts'
import { toRows, type RowOf } from '../row-shape.ts'
import { isObject } from '../../lib/json.ts'
import { sqlState } from '../sql-error.ts'

const OLDEST_VERSION = 15

const SERVER = { version: INT4, encoding: TEXT, isStandby: BOOL, isDistributed: BOOL }
const SELECT_SERVER = `SELECT current_setting('server_version_num')::int AS version,
  current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS "isStandby",
  EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS "isDistributed"`

const UTF8_DATABASE = 'Create another one: create database NAME owner USER encoding UTF8 template template0'
const STANDBY =
  'The PostgreSQL server is a standby, which can only be read (or it still recovers). Name the primary in DATABASE_URL; during a failover, try again in a moment'

/** Throws if Holdfast cannot use the server. Returns what it can do. */
export async function checkServer(pool: Pool): Promise<Pick<RowOf<typeof SERVER>, 'isDistributed'>> {
  const result = await pool.query<object>(SELECT_SERVER).catch((cause: Error) => {
    const message = `The PostgreSQL server cannot be used: ${cause.message}. ${connectRemedy(cause)}`
    throw new HoldfastError('UNAVAILABLE', message, { cause })
  })
  const [server] = toRows(SERVER, result, SELECT_SERVER)
  const major = Math.floor((server?.version ?? 0) / 10_000)
  if (major < OLDEST_VERSION) {
    throw new HoldfastError('UNAVAILABLE', `PostgreSQL ${major} is too old; ${OLDEST_VERSION} or newer is needed`)
  }
  if (server?.encoding !== 'UTF8') {
    throw new HoldfastError(
      'UNAVAILABLE',
      `The database has the encoding ${server?.encoding}; UTF8 is needed. ${UTF8_DATABASE}`,
    )
  }
  if (server.isStandby) throw new HoldfastError('UNAVAILABLE', STANDBY)
  return server
}

// Remedies if the first connection to PostgreSQL fails. The keys are codes of PostgreSQL (manual, appendix A), of the
// operating system or of TLS (Node, errors of OpenSSL).

const CHECK = 'Check host and port in DATABASE_URL, and that the server runs and can be reached from here'
const AUTHORITY =
  'If the server has a certificate of your own authority, name that: ?sslmode=verify-full&sslrootcert=/path/to/ca.pem at the end of DATABASE_URL'
const TRY_AGAIN = 'Try again in a moment'

const REMEDIES: { readonly [code: string]: string } = {
  '28P01':
    'Check user and password in DATABASE_URL; in an address, characters such as @ : / # % are written %40 %3A %2F %23 %25',
  '28000':
    'See whether PostgreSQL has this user, and whether pg_hba.conf lets it in from here; if the server demands TLS, add ?sslmode=verify-full to DATABASE_URL',
  '3D000':
    'Create it in UTF8, owned by the user of DATABASE_URL: create database NAME owner USER encoding UTF8 template template0',
  '42501': 'Let this user connect: grant connect on database NAME to USER',
  '53300':
    'Set HOLDFAST_CONNECTIONS to fewer connections for each process, run fewer processes, or raise max_connections of PostgreSQL',
  '57P03': TRY_AGAIN,
  ENOENT: 'DATABASE_URL names this file by sslrootcert, sslcert or sslkey: put it there, and let the server read it',
  EACCES: 'DATABASE_URL names this file by sslrootcert, sslcert or sslkey: let the server read it',
  ENOTFOUND: 'No such host is known here: check the host in DATABASE_URL',
  CERT_HAS_EXPIRED: 'Give PostgreSQL a new certificate',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'Use a host name from the certificate of the server in DATABASE_URL, or give the server a certificate with this name',
  DEPTH_ZERO_SELF_SIGNED_CERT: AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: AUTHORITY,
}

/** Errors of pg itself have no code. */
const BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/client password must be a/, 'PostgreSQL asks for a password, and DATABASE_URL has none: write one there'],
  [/does not support SSL/, 'Switch TLS on at the server, or take sslmode out of DATABASE_URL'],
]

function connectRemedy(cause: unknown): string {
  const code = isObject(cause) && typeof cause['code'] === 'string' ? cause['code'] : ''
  const message = cause instanceof Error ? cause.message : ''
  return REMEDIES[code] ?? BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1] ?? CHECK
}

/** Tells whether a PostgreSQL server answers a new connection, even if only to say that it is full or starting. */
export async function reachPostgres(url: string, ms: number): Promise<boolean> {
  const client = new Client({ connectionString: url, application_name: 'holdfast-probe', connectionTimeoutMillis: ms })
  // If the connection is lost later, pg emits an event, which would end the process without a listener.
  client.on('error', () => undefined)
  try {
    await client.connect()
    client.end().catch(() => undefined)
    return true
  } catch (error) {
    return sqlState(error) !== undefined
  }
}
