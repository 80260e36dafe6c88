import type { DeletionCounts } from '../../../generated/entities.ts'
import { digestOf } from '../../lib/digest.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import type { DomainContext } from '../domain-context.ts'
import type { Moment, Wanted } from './deletion-target.ts'

/** The time for which a preview can be carried out. */
export const TOKEN_MINUTES = 60

/** A preview, as its token holds it. The token is encrypted, so nobody can read or change it. */
export interface Preview extends Moment {
  /** The uuid that the deletion gets. */
  readonly uuid: string
  /** The thing to delete (`textOf`). */
  readonly wanted: string
  /** The account that asked for the preview. */
  readonly actor: string
  readonly state: string
  readonly counts: DeletionCounts
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

type Context = Pick<DomainContext, 'key' | 'domain' | 'actorName' | 'accountUuid'>

/** The account of a token. A user and a machine user may have the same name. */
export function ownerOf({ accountUuid, actorName }: Pick<Context, 'actorName' | 'accountUuid'>): string {
  return accountUuid ?? actorName
}

export function sealPreview({ key, domain }: Context, preview: Preview): string {
  return Buffer.from(key.seal(JSON.stringify(preview), placeOf(domain))).toString('base64url')
}

/**
 * Reads the token of a preview. It must belong to this domain, account and target. The caller checks whether it has
 * expired.
 */
export function openPreview(context: Context, token: string, wanted: Wanted): Preview {
  const preview = unsealed(context, token)
  if (preview === null || preview.actor !== ownerOf(context))
    throw refused('this token is not from a deletionPreview of this domain and account')
  if (preview.wanted !== textOf(wanted))
    throw refused('this token is from the preview of another deletion; delete exactly what was previewed')
  return preview
}

/** The digest of the thing to delete. */
export function textOf(wanted: Wanted): string {
  if (wanted.kind !== 'DATAPOINTS') return `${wanted.kind} ${wanted.uuid}`
  const { from, to, series } = wanted
  const { systems, components, services, characteristics } = series
  return digestOf(JSON.stringify([from, to, systems, components, services, characteristics]))
}

/** `sealPreview` wrote the text, and decrypting verifies that. */
function isPreview(value: unknown): value is Preview {
  return isObject(value) && typeof value['uuid'] === 'string'
}

function unsealed({ key, domain }: Context, token: string): Preview | null {
  try {
    const preview: unknown = JSON.parse(key.unseal(Buffer.from(token, 'base64url'), placeOf(domain)))
    return isPreview(preview) ? preview : null
  } catch {
    return null
  }
}

function placeOf({ uuid }: Context['domain']): string {
  return `the preview of a deletion in ${uuid}`
}

function refused(message: string): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', message)
}
