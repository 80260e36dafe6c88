import { randomBytes } from 'node:crypto'
import { HoldfastError } from '../../lib/errors.ts'
import { INT4 } from '../columns.ts'
import type { Database } from '../sql.ts'

/** The connections of one process. All of them together are the setting HOLDFAST_CONNECTIONS. */
export interface ConnectionShares {
  /** For requests and upkeep. */
  readonly requests: number
  /** For the thread that answers heavy requests. */
  readonly heavy: number
}

/** One connection for flushes and one for signs of life (postgres.ts). */
const FIXED = 2
export const FEWEST_CONNECTIONS = FIXED + 2

export function shareConnections(connections: number): ConnectionShares {
  const heavy = Math.max(1, Math.floor(((connections - FIXED) * 2) / 7))
  return { requests: connections - FIXED - heavy, heavy }
}

/**
 * Makes the name of the sessions of a process. PostgreSQL shows it to other processes, so that each can add up the connections
 * that all of them may open.
 */
export function nameSessions(connections: number): string {
  return `holdfast ${connections} ${randomBytes(4).toString('hex')}`
}

/** SQL for sessions of server processes. An earlier release had one name for all of them. */
export const IS_SERVER = `application_name ~ '^holdfast( \\d+ [0-9a-f]+)?$'`

const BUDGET = { most: INT4, reserved: INT4, processes: INT4, claimed: INT4 }

/** An earlier release has one name for all processes, so its open sessions count. */
const SELECT_BUDGET = `with sessions as (
    select application_name as name, count(*) as open from pg_stat_activity
    where ${IS_SERVER} and application_name <> $1 group by 1)
  select current_setting('max_connections')::integer as most,
    current_setting('superuser_reserved_connections')::integer
      + coalesce(current_setting('reserved_connections', true), '0')::integer as reserved,
    (select count(*) from sessions where name <> 'holdfast')::integer as processes,
    (select coalesce(sum(coalesce(nullif(split_part(name, ' ', 2), '')::bigint, open)), 0) from sessions)::integer as claimed`

interface Claim {
  readonly connections: number
  /** The number of processes that this one starts with, including itself. */
  readonly processes: number
  /** The name of the sessions of this process. */
  readonly name: string
}

/**
 * Returns a sentence about the connections that all processes of Holdfast may open. It fails if PostgreSQL does not have as
 * many: otherwise requests would fail later, under load.
 */
export async function claimConnections(database: Database, { connections, processes, name }: Claim): Promise<string> {
  const [budget] = await database.rows(BUDGET, SELECT_BUDGET, [name])
  if (budget === undefined) throw new Error('PostgreSQL did not tell its settings')
  const free = budget.most - budget.reserved
  const own = connections * processes
  const sum = own + budget.claimed
  const text =
    `Connections to PostgreSQL: ${processes} × ${connections} (HOLDFAST_CONNECTIONS) here` +
    ` + ${budget.claimed} of other processes (${budget.processes}) = ${sum}` +
    ` of ${free} (max_connections ${budget.most} - ${budget.reserved} reserved)`
  if (sum <= free) return text
  const each = Math.floor(free / (budget.processes + processes))
  const remedy =
    each < FEWEST_CONNECTIONS
      ? `run fewer processes, or raise max_connections of PostgreSQL to ${sum + budget.reserved}`
      : `set HOLDFAST_CONNECTIONS to ${each} for each process, or raise max_connections of PostgreSQL to ${sum + budget.reserved}`
  throw new HoldfastError('UNAVAILABLE', `${text}. These are too many: ${remedy}`)
}
