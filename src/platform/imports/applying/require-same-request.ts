import { microsecondsOf } from '../../../datapoints/wire/timestamp.ts'
import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { takeKey } from '../../../store/datapoints/arriving/idempotency-keys.ts'
import type { DomainContext } from '../../domain-context.ts'

/** The keys are separate from those of batches. An apply is of its domain, whoever asks for it again. */
const ACTOR = 'import'

/** Refuses the id of an apply that came with another document before, of which the answer would say something else. */
export async function requireSameRequest(
  sql: Sql,
  { domain, now }: DomainContext,
  uuid: string,
  digest: Uint8Array | undefined,
): Promise<void> {
  if (digest === undefined) return
  const found = await takeKey(sql, domain.id, { actor: ACTOR, key: uuid, digest, at: microsecondsOf(now()) }, now())
  if (found !== 'another batch') return
  throw new HoldfastError(
    'CONFLICT',
    'this Idempotency-Key was used for another document; use a new key for a new apply',
  )
}
