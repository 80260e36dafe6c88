import type { Pool } from 'pg'
import { HoldfastError } from '../../lib/errors.ts'
import { INT4, TEXT } from '../columns.ts'
import { toRows } from '../row-shape.ts'

const OLDEST_VERSION = 15

const SERVER = { version: INT4, encoding: TEXT }
const SELECT_SERVER = `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding`

export async function checkServer(pool: Pool): Promise<void> {
  const result = await pool.query<object>(SELECT_SERVER).catch((cause: Error) => {
    const message = `The PostgreSQL server cannot be used: ${cause.message}. Check the database URL and the server`
    throw new HoldfastError('UNAVAILABLE', message, { cause })
  })
  const [server] = toRows(SERVER, result, SELECT_SERVER)
  const major = Math.floor((server?.version ?? 0) / 10_000)
  if (major < OLDEST_VERSION) {
    throw new HoldfastError('UNAVAILABLE', `PostgreSQL ${major} is too old; ${OLDEST_VERSION} or newer is needed`)
  }
  if (server?.encoding !== 'UTF8') {
    throw new HoldfastError('UNAVAILABLE', `The database has the encoding ${server?.encoding}; UTF8 is needed`)
  }
}
