import type { Sql } from '../../../db/sql.ts'
import type { Snapshot } from '../../../documents/snapshot.ts'
import { recordId } from '../../../records/record-id.ts'
import { isReplaced, type Change } from '../../../plan/plan.ts'
import { recordType } from '../../../records/registry.ts'
import { GENERATED_FINGERPRINT, Secret } from '../../../records/secret.ts'
import { endingsOf, fetchModelKeys, fetchPlatformKeys } from '../../../store/access/ended-identities.ts'
import { takeOverPlatformRecords } from '../../../store/access/platform-records.ts'
import { lockAccounts } from '../../../store/access/principals.ts'
import { fetchSecrets, keepSecrets, type NewSecret } from '../../../store/model/secrets.ts'
import { statusOf } from '../../access/accounts/status.ts'
import { releaseIdentities } from '../../access/delegated/identity/released-identities.ts'
import type { DomainContext } from '../../domain-context.ts'
import type { HashingContext } from '../../hash-first.ts'
import { hashOfUnknown } from '../../secret-keeper.ts'
import type { PreparedChanges } from './write-changes.ts'

/** Prepares the inputs of `writeChanges` besides the bodies. Secrets to be deleted are kept for the rollback. */
export async function prepareChanges(
  sql: Sql,
  context: HashingContext,
  applyUuid: string | null,
  { snapshot, keptSecrets = [] }: { readonly snapshot: Snapshot; readonly keptSecrets?: readonly NewSecret[] },
  changes: readonly Change[],
): Promise<PreparedChanges> {
  // No document describes the password of a person. The history keeps it with the record, and a rollback restores it.
  const going = changes
    .filter(({ type, action, secret }) =>
      action === 'delete' ? recordType(type).signsIn !== undefined : action !== 'create' && isReplaced(secret),
    )
    .map(({ type, key, from }) => ({ type, key: from ?? key }))
  if (applyUuid !== null) await keepSecrets(sql, context.domain.id, applyUuid, going)
  const kept = new Map(keptSecrets.map((secret) => [recordId(secret), secret]))
  const isRestored = (change: Change) => change.action === 'create' && kept.has(recordId(change))
  const written = changes.filter((change) => isReplaced(change.secret) || isRestored(change))
  const salts = new Map(
    (await fetchSecrets(sql, context.domain.id, [...new Set(written.map(({ type }) => type))])).map((stored) => [
      recordId(stored),
      stored.salt,
    ]),
  )
  const secrets = written.flatMap(({ type, key, from }): NewSecret[] => {
    const old = kept.get(recordId({ type, key }))
    if (old !== undefined) return [{ ...old, type, key }]
    const secret = snapshot.get(type)?.records.get(key)?.secret
    const salt = salts.get(recordId({ type, key: from ?? key })) ?? key
    if (secret === 'generated') return [{ type, key, salt, fingerprint: GENERATED_FINGERPRINT, hash: hashOfUnknown() }]
    if (!(secret instanceof Secret)) return []
    const fingerprint = context.hashes.fingerprint(type, salt, secret)
    const hash = context.hashes.hash({ type, key }, secret)
    return fingerprint === null || hash === null ? [] : [{ type, key, salt, fingerprint, hash }]
  })
  context.hashes.requireAll()
  const shutOut = await accountsShutOut(sql, context.domain.id, changes)
  await lockAccounts(sql, context.domain.id, shutOut)
  const { uuids, endings } = await newUuids(sql, context, snapshot, changes)
  const allEndings = [...endingsOf(shutOut, 'for good'), ...endings]
  return { uuids, secrets, endings: allEndings, at: context.now() }
}

/** Uuids of accounts that may not sign in after the changes. A created record replaces an account with its key. */
async function accountsShutOut(sql: Sql, domainId: number, changes: readonly Change[]): Promise<readonly string[]> {
  const ended = changes.filter(
    ({ type, after }) =>
      ['person', 'machine'].includes(recordType(type).signsIn ?? '') &&
      (after === null || statusOf(after) !== 'ACTIVATED'),
  )
  const [created, existing] = [ended.filter(isCreated), ended.filter((change) => !isCreated(change))]
  const keys = existing.map(({ type, key, from = key }) => ({ type, key: from }))
  const records = [
    ...(keys.length === 0 ? [] : await fetchModelKeys(sql, domainId, keys)),
    ...(created.length === 0 ? [] : await fetchPlatformKeys(sql, domainId, created)),
  ]
  return records.map(({ uuid }) => uuid)
}

function isCreated({ before }: Change): boolean {
  return before === null
}

/**
 * Chooses the uuids of new records. A restored record gets its earlier uuid. A record that replaces one of the platform
 * gets its uuid. For persons, this only applies if it is the same person; otherwise everything issued to the other
 * person ends.
 */
async function newUuids(
  sql: Sql,
  context: DomainContext,
  snapshot: Snapshot,
  changes: readonly Change[],
): Promise<Pick<PreparedChanges, 'uuids' | 'endings'>> {
  const created = changes.filter(({ action }) => action === 'create')
  const programs = created.filter(({ type }) => ['client', 'machine'].includes(recordType(type).signsIn ?? ''))
  const people = changes.filter((change) => isNewcomer(change))
  const { heirs, endings } = await releaseIdentities(sql, context, people)
  const takenOver = await takeOverPlatformRecords(sql, context.domain.id, [...programs, ...heirs])
  const uuids = new Map(takenOver.map(({ uuid, ...key }) => [recordId(key), uuid]))
  const uuidOf = ({ type, key }: Change) =>
    uuids.get(recordId({ type, key })) ?? snapshot.get(type)?.records.get(key)?.uuid ?? inOnePiece(context.newId())
  return { uuids: new Map(created.map((change) => [change, uuidOf(change)])), endings }
}

/** Tells whether a change adds a person whose identities must be checked. */
function isNewcomer({ type, action, from }: Change): boolean {
  return recordType(type).signsIn === 'person' && (action === 'create' || (action !== 'delete' && from !== undefined))
}

/** Copies a text into one piece. Node composes a UUID from twenty pieces, and V8 would keep these 500 bytes of each. */
function inOnePiece(text: string): string {
  return Buffer.from(text).toString()
}
