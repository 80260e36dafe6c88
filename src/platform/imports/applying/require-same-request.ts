import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { isObject } from '../../../lib/json.ts'
import { findRequest, keepAnswer, takeKey } from '../../../store/datapoints/arriving/idempotency-keys.ts'
import type { DomainContext } from '../../domain-context.ts'
import type { Apply } from '../history/applies.ts'

/** The keys are separate from those of batches. An apply is of its domain, whoever asks for it again. */
const ACTOR = 'import'

type Context = Pick<DomainContext, 'domain'>

/**
 * Refuses the id of an apply that came with another document before, of which the answer would say something else. Gives the
 * first result where the history does not have it, because nothing was changed.
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

/** It was written by `keepUnrecorded`, so few of its fields tell it. */
function isKeptApply(value: unknown): value is Omit<Apply, 'at'> & { readonly at: string } {
  return isObject(value) && typeof value['at'] === 'string' && typeof value['planDigest'] === 'string'
}

/** Keeps the result of an apply that is not in the history. */
export async function keepUnrecorded(sql: Sql, { domain }: Context, apply: Apply, digest: Uint8Array): Promise<void> {
  const key = { actor: ACTOR, key: apply.uuid, digest }
  await keepAnswer(sql, domain.id, key, { change: 0, answer: JSON.stringify(apply) })
}
