import type { Sql } from '../../../db/sql.ts'
import { danglingReferences } from '../../../documents/checks/dangling.ts'
import type { DesiredRecord, DesiredType, Snapshot } from '../../../documents/snapshot.ts'
import { digestOf } from '../../../lib/digest.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { recordId } from '../../../records/record-id.ts'
import { preparePlan, type PlanResult } from '../../../plan/make-plan.ts'
import { isAboutSettings } from '../../../plan/findings/settings-findings.ts'
import { isRecordTypeName, PLANNED_TYPE_NAMES, type RecordTypeName } from '../../../records/record-type.ts'
import { recordType } from '../../../records/registry.ts'
import type { DesiredSecret } from '../../../records/secret.ts'
import { withMoves, type Move, type Settings } from '../../../records/settings.ts'
import { fetchApplyChanges, type ApplyChangeRow } from '../../../store/model/apply-changes.ts'
import { fetchApply } from '../../../store/model/applies.ts'
import { readDomain, type ManagedTypes } from '../../../store/domains.ts'
import { fetchKeysByUuid } from '../../../store/model/records.ts'
import { fetchKeptSecrets } from '../../../store/model/secrets.ts'
import type { Reader } from '../../../plan/withhold.ts'
import type { ApplyReading } from './apply-reading.ts'
import { lostIn, staysLost, type LostData } from './lost-data.ts'
import { finishPlan, READS_ALL, planForReader } from '../planning/plan-import.ts'
import type { DomainContext } from '../../domain-context.ts'
import { liveDomain, restoredMetadataRules } from '../planning/live-domain.ts'

/**
 * The plan that undoes an apply: its records as they were before it, whatever happened to them since. Other records
 * are not touched.
 */
export async function planRollback(
  context: DomainContext,
  applyUuid: string,
  settings: Settings,
  reader: Reader = READS_ALL,
): Promise<PlanResult> {
  const { live, lost, prepared } = await readDomain(context.database, context.domain.id, async (sql) => {
    const reading = await rollbackReading(sql, context, applyUuid)
    const live = liveDomain(sql, context)
    return { live, lost: reading.lost, prepared: await preparePlan(reading, live, withMoves(settings, reading.moved)) }
  })
  const result = await planForReader(context, await finishPlan(context, prepared), live, reader, null)
  // The settings belong to the document, so findings that a rollback does not need them mean nothing.
  const diagnostics = result.plan.diagnostics.filter((found) => !isAboutSettings(found))
  return {
    ...result,
    plan: { ...result.plan, diagnostics: [...diagnostics, ...staysLost(lost, result.plan.changes)] },
  }
}

export interface RollbackReading extends ApplyReading {
  /** The moves back to the keys that the records had. */
  readonly moved: readonly Move[]
  readonly lost: LostData
}

export async function rollbackReading(
  sql: Sql,
  { domain }: DomainContext,
  applyUuid: string,
): Promise<RollbackReading> {
  const apply = await fetchApply(sql, domain.id, applyUuid)
  if (apply === null) throw new HoldfastError('NOT_FOUND', `there is no apply ${applyUuid}`)
  const changes = await fetchApplyChanges(sql, domain.id, applyUuid)
  const keptSecrets = await fetchKeptSecrets(sql, domain.id, applyUuid)
  const fingerprints = new Map(keptSecrets.map((secret) => [recordId(secret), secret.fingerprint]))
  const liveKeys = await fetchKeysByUuid(
    sql,
    domain.id,
    changes.map(({ uuid }) => uuid),
  )
  const snapshot = snapshotBefore(changes, fingerprints, liveKeys)
  return {
    snapshot,
    diagnostics: [],
    external: danglingReferences(snapshot, () => false).external,
    metadata: await restoredMetadataRules(sql, domain.id, snapshot),
    moved: changes.flatMap((change) => moveBack(change, liveKeys)),
    lost: lostIn(changes),
    managedAfter: managedTypes(apply.managedBefore),
    keptSecrets,
  }
}

/** The present keys of records by uuid. */
type LiveKeys = ReadonlyMap<string, string>

/** The move back to the key that the record had before the apply, whether that apply or a later one moved it. */
function moveBack({ type, key, from, uuid, before }: ApplyChangeRow, liveKeys: LiveKeys): Move[] {
  const [liveKey, oldKey] = [liveKeys.get(uuid), from ?? key]
  return before === null || liveKey === undefined || liveKey === oldKey ? [] : [{ type, from: liveKey, to: oldKey }]
}

function snapshotBefore(
  changes: readonly ApplyChangeRow[],
  fingerprints: ReadonlyMap<string, string>,
  liveKeys: LiveKeys,
): Snapshot {
  const byType = Map.groupBy(changes, ({ type }) => type)
  return new Map(
    PLANNED_TYPE_NAMES.map((type) => [type, listedRecords(byType.get(type) ?? [], fingerprints, liveKeys)]),
  )
}

/** Lists exactly the records that the apply changed. Those that it created are surplus. */
function listedRecords(
  changes: readonly ApplyChangeRow[],
  fingerprints: ReadonlyMap<string, string>,
  liveKeys: LiveKeys,
): DesiredType {
  const created = new Set(
    changes.filter(({ action }) => action === 'create').map(({ key, uuid }) => liveKeys.get(uuid) ?? key),
  )
  const records = changes.flatMap((change) => restoredRecord(change, fingerprints))
  return {
    coverage: 'listed',
    owners: 0,
    records: new Map(records.map((record) => [record.key, record])),
    covers: (key) => created.has(key),
  }
}

function restoredRecord(
  { type, key, from, uuid, before }: ApplyChangeRow,
  fingerprints: ReadonlyMap<string, string>,
): DesiredRecord[] {
  if (before === null) return []
  const oldKey = from ?? key
  const fingerprint = fingerprints.get(recordId({ type, key: oldKey }))
  const secret: DesiredSecret = fingerprint === undefined ? 'keep' : { fingerprint }
  return [
    {
      type,
      key: oldKey,
      pointer: null,
      body: before,
      untouched: [],
      digest: digestOf(JSON.stringify(before)),
      secret: recordType(type).secret === undefined ? null : secret,
      uuid,
    },
  ]
}

function managedTypes(managed: object): ManagedTypes {
  const entries = Object.entries(managed) as [string, 'managed' | 'partial'][]
  return new Map(
    entries.filter((entry): entry is [RecordTypeName, 'managed' | 'partial'] => isRecordTypeName(entry[0])),
  )
}
