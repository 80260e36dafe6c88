import { badInput } from '../../lib/errors.ts'
import { checkUuid } from '../checked-arguments.ts'
import { parameter, query, UUIDS, type Parameter } from '../openapi/operation.ts'

// The query of GET /rest/v1/set-points/pending. Unknown parameters are rejected.

export interface PendingQuery {
  readonly components: readonly string[]
  readonly waitSeconds: number
  /** Whether the waiting time comes from the Prefer header, so the answer must confirm it (RFC 7240, section 3). */
  readonly isPreferred: boolean
}

export const MOST_SECONDS = 60

/** The query and the headers that a request may have. */
export const PENDING_PARAMETERS: readonly Parameter[] = [
  query(
    'component_uuid',
    'Components whose setpoints are returned. Left out by a device: all components of its system.',
    UUIDS,
  ),
  query('wait', 'Seconds to wait for a setpoint.', { type: 'integer', minimum: 0, maximum: MOST_SECONDS }),
  parameter('header', 'Prefer', '`wait=30` is the same as a preference (RFC 7240).', { type: 'string' }),
]

export function parsePendingQuery(params: URLSearchParams, prefer: string | undefined): PendingQuery {
  const components = params.getAll('component_uuid').map((uuid) => checkUuid(uuid, 'component_uuid'))
  const wait = params.get('wait')
  if (wait !== null) return { components, waitSeconds: seconds(wait), isPreferred: false }
  const preferred = preferredSeconds(prefer)
  return { components, waitSeconds: preferred ?? 0, isPreferred: preferred !== null }
}

function seconds(text: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) <= MOST_SECONDS) return Number(text)
  throw badInput(`wait must be whole seconds, ${MOST_SECONDS} at most, not ${JSON.stringify(text)}`)
}

/** Returns the preferred time to wait, up to the maximum. It ignores a preference that it cannot read. */
function preferredSeconds(prefer: string | undefined): number | null {
  const wait = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(prefer ?? '')?.[1]
  return wait === undefined ? null : Math.min(Number(wait), MOST_SECONDS)
}
