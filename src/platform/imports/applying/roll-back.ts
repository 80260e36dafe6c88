import type { Sql } from '../../../db/sql.ts'
import { danglingReferences } from '../../../documents/checks/dangling.ts'
import type { DesiredRecord, DesiredType, Snapshot } from '../../../documents/snapshot.ts'
import { digestOf } from '../../../lib/digest.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { recordId } from '../../../records/record-id.ts'
import { preparePlan, type PlanResult } from '../../../plan/make-plan.ts'
import { isAboutSettings } from '../../../plan/findings/settings-findings.ts'
import { PLANNED_TYPE_NAMES, type RecordKey } from '../../../records/record-type.ts'
import { recordType } from '../../../records/registry.ts'
import type { DesiredSecret } from '../../../records/secret.ts'
import { withMoves, type Move, type Settings } from '../../../records/settings.ts'
import { fetchApplyChanges } from '../../../store/model/apply-changes.ts'
import { fetchApply } from '../../../store/model/applies.ts'
import { memoryBefore } from './memory-before.ts'
import { readDomain } from '../../../store/domains.ts'
import { fetchKeptSecrets, type NewSecret } from '../../../store/model/secrets.ts'
import type { Reader } from '../../../plan/withhold.ts'
import type { ApplyReading } from './apply-reading.ts'
import { laterChanges, type SeenApplies } from './later-changes.ts'
import { keysTaken, lostIn, staysGone, staysLost, type LostData } from './lost-data.ts'
import { isMovedBack, revertChanges, type Reverted } from './rolled-back-records.ts'
import { finishPlan, READS_ALL, planForReader } from '../planning/plan-import.ts'
import { plannerOf } from '../planning/planner.ts'
import type { DomainContext } from '../../domain-context.ts'
import { SecretHashes } from '../../hash-first.ts'
import { liveDomain, restoredMetadataRules } from '../planning/live-domain.ts'

/**
 * The plan that undoes an apply: it restores the fields that the apply changed. It changes no other fields and no other
 * records. If such a field was changed again since, a guard stops the rollback.
 */
export async function planRollback(
  context: DomainContext,
  applyUuid: string,
  settings: Settings,
  reader: Reader = READS_ALL,
): Promise<PlanResult> {
  const hashing = { ...context, hashes: new SecretHashes(context) }
  const { live, lost, gone, prepared } = await readDomain(context.database, context.domain.id, async (sql) => {
    const reading = await rollbackReading(sql, context, applyUuid)
    const planner = await plannerOf(sql, context, { folder: null, settings })
    const live = liveDomain(sql, hashing, { planner, isRollback: true })
    const { lost, gone } = reading
    return { live, lost, gone, prepared: await preparePlan(reading, live, withMoves(settings, reading.moved)) }
  })
  const result = await planForReader(context, await finishPlan(context, prepared), live, reader, null)
  // A rollback does not use the settings of a document, so findings about them are irrelevant.
  const diagnostics = result.plan.diagnostics.filter((found) => !isAboutSettings(found))
  return {
    ...result,
    plan: {
      ...result.plan,
      diagnostics: [...diagnostics, ...staysLost(lost, result.plan.changes), ...staysGone(gone)],
    },
  }
}

export interface RollbackReading extends ApplyReading {
  /** The moves back to the earlier keys of the records. */
  readonly moved: readonly Move[]
  readonly lost: LostData
  /** Records that the apply changed and that were deleted since. They are not created again. */
  readonly gone: readonly RecordKey[]
}

export async function rollbackReading(
  sql: Sql,
  { domain }: DomainContext,
  applyUuid: string,
  seen: SeenApplies = new Map(),
): Promise<RollbackReading> {
  const apply = await fetchApply(sql, domain.id, applyUuid)
  if (apply === null) throw new HoldfastError('NOT_FOUND', `there is no apply ${applyUuid}`)
  const changes = await fetchApplyChanges(sql, domain.id, applyUuid)
  const reverted = await revertChanges(sql, domain.id, apply, changes)
  const keptSecrets = restoredSecrets(reverted, await fetchKeptSecrets(sql, domain.id, applyUuid))
  const snapshot = snapshotBefore(reverted, keptSecrets)
  const overwritten = await laterChanges(sql, domain.id, applyUuid, reverted, keptSecrets, seen)
  return {
    snapshot,
    diagnostics: keysTaken(reverted),
    external: danglingReferences(snapshot, () => false).external,
    metadata: await restoredMetadataRules(sql, domain.id, snapshot),
    moved: reverted.flatMap(moveBack),
    overwritten,
    gone: reverted.filter(isGone).map(({ change }) => change),
    lost: lostIn(changes),
    memoryAfter: await memoryBefore(sql, domain.id, apply),
    keptSecrets,
  }
}

/** Tells whether the apply changed a record that was deleted since. */
function isGone({ change: { before, after }, live }: Reverted): boolean {
  return before !== null && after !== null && live === null
}

/** The move back to the key that the record had before the apply, if the apply moved it. */
function moveBack(reverted: Reverted): Move[] {
  const { change, live, wanted } = reverted
  if (live === null || wanted === null || !isMovedBack(reverted)) return []
  return [{ type: change.type, from: live.key, to: wanted.key }]
}

/** The secrets that the apply replaced, by the keys of their records after the rollback. */
function restoredSecrets(reverted: readonly Reverted[], kept: readonly NewSecret[]): NewSecret[] {
  const secrets = new Map(kept.map((secret) => [recordId(secret), secret]))
  return reverted.flatMap(({ change: { type, key, from }, wanted }) => {
    const secret = secrets.get(recordId({ type, key: from ?? key }))
    return secret === undefined || wanted === null ? [] : [{ ...secret, key: wanted.key }]
  })
}

function snapshotBefore(reverted: readonly Reverted[], secrets: readonly NewSecret[]): Snapshot {
  const byType = Map.groupBy(reverted, ({ change }) => change.type)
  const fingerprints = new Map(secrets.map((secret) => [recordId(secret), secret.fingerprint]))
  return new Map(PLANNED_TYPE_NAMES.map((type) => [type, listedRecords(byType.get(type) ?? [], fingerprints)]))
}

/** Lists exactly the records that the apply changed. Records that it created are surplus. */
function listedRecords(reverted: readonly Reverted[], fingerprints: ReadonlyMap<string, string>): DesiredType {
  const created = new Set(reverted.flatMap(({ change, live }) => (change.before === null && live ? [live.key] : [])))
  const records = reverted.flatMap((one) => restoredRecord(one, fingerprints))
  return {
    coverage: 'listed',
    owners: 0,
    records: new Map(records.map((record) => [record.key, record])),
    covers: (key) => created.has(key),
  }
}

function restoredRecord(
  { change: { type, uuid }, wanted }: Reverted,
  fingerprints: ReadonlyMap<string, string>,
): DesiredRecord[] {
  if (wanted === null) return []
  const { key, body } = wanted
  const fingerprint = fingerprints.get(recordId({ type, key }))
  const secret: DesiredSecret = fingerprint === undefined ? 'keep' : { fingerprint }
  return [
    {
      type,
      key,
      pointer: null,
      body,
      untouched: [],
      digest: digestOf(JSON.stringify(body)),
      secret: recordType(type).secret === undefined ? null : secret,
      uuid,
    },
  ]
}
