import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { isObject } from '../../../lib/json.ts'
import { findRequest, keepAnswer, takeKey } from '../../../store/datapoints/arriving/idempotency-keys.ts'
import type { DomainContext } from '../../domain-context.ts'
import type { Apply } from '../history/applies.ts'

/**
 * Separates these keys from the keys of batches. An apply belongs to its domain, so any account may repeat the request.
 */
const ACTOR = 'import'

type Context = Pick<DomainContext, 'domain'>

/**
 * Refuses the id of an apply that was used with another document, because the answer would describe that one. Returns
 * the first result if the history lacks it because nothing was changed.
 */
export async function requireSameRequest(
  sql: Sql,
  { domain }: Context,
  uuid: string,
  digest: Uint8Array,
): Promise<Apply | null> {
  const key = { actor: ACTOR, key: uuid, digest }
  if ((await takeKey(sql, domain.id, key)) === 'new') return null
  const known = await findRequest(sql, domain.id, key)
  if (known?.isSame !== true)
    throw new HoldfastError(
      'CONFLICT',
      'this Idempotency-Key was used for another document; use a new key for a new apply',
    )
  if (known.answer === null) return null
  const kept: unknown = JSON.parse(known.answer)
  if (!isKeptApply(kept)) throw new Error('the stored apply of an Idempotency-Key is damaged')
  return { ...kept, at: new Date(kept.at) }
}

/** `keepUnrecorded` wrote the value, so checking a few fields is enough. */
function isKeptApply(value: unknown): value is Omit<Apply, 'at'> & { readonly at: string } {
  return isObject(value) && typeof value['at'] === 'string' && typeof value['planDigest'] === 'string'
}

/** Stores the result of an apply that is not in the history. */
export async function keepUnrecorded(sql: Sql, { domain }: Context, apply: Apply, digest: Uint8Array): Promise<void> {
  const key = { actor: ACTOR, key: apply.uuid, digest }
  await keepAnswer(sql, domain.id, key, { change: 0, answer: JSON.stringify(apply) })
}
