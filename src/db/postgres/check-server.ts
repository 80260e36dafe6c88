import type { Pool } from 'pg'
import { HoldfastError } from '../../lib/errors.ts'
import { BOOL, INT4, TEXT } from '../columns.ts'
import { toRows } from '../row-shape.ts'
import { connectRemedy } from './connect-remedy.ts'

const OLDEST_VERSION = 15

const SERVER = { version: INT4, encoding: TEXT, isStandby: BOOL }
const SELECT_SERVER = `SELECT current_setting('server_version_num')::int AS version,
  current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS "isStandby"`

const UTF8_DATABASE = 'Create another one: create database NAME owner USER encoding UTF8 template template0'
const STANDBY =
  'The PostgreSQL server is a standby, which can only be read (or it still recovers). Name the primary in DATABASE_URL; during a failover, try again in a moment'

export async function checkServer(pool: Pool): Promise<void> {
  // pg throws at once where a file is not there that the address names.
  const ask = async () => pool.query<object>(SELECT_SERVER)
  const result = await ask().catch((cause: Error) => {
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
}
