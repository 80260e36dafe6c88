import type { Sql } from '../../db/sql.ts'
import { NO_METADATA_RULES } from '../../documents/checks/metadata-rules.ts'
import type { DocumentReading } from '../../documents/read/read-document.ts'
import type { DesiredRecord, DesiredType } from '../../documents/snapshot.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { type JsonObject, isObject } from '../../lib/json.ts'
import { quoted } from '../../lib/quoted.ts'
import { recordId } from '../../records/record-id.ts'
import { makePlan, type PlanResult } from '../../plan/make-plan.ts'
import { allChanges, allRows, type GuardCode, type Plan } from '../../plan/plan.ts'
import { managedBefore } from '../../plan/scope.ts'
import { isBelowAny, keyOf, parentKey } from '../../records/identity.ts'
import { ACCESS, type RecordKey, type RecordType, type RecordTypeName } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { isReserved, reservedText } from '../../records/reserved.ts'
import { WEAK_SECRET } from '../../records/weak-secret.ts'
import { NO_SETTINGS, type Settings } from '../../records/settings.ts'
import { noteDrift } from '../../store/model/drift.ts'
import { readDomain } from '../../store/domains.ts'
import { fetchRecords, type StoredRecord } from '../../store/model/records.ts'
import { assertApplicable } from '../imports/planning/applicable.ts'
import { driftRows } from '../imports/applying/drift-rows.ts'
import { prepareChanges } from '../imports/applying/prepare-changes.ts'
import { lookingFirst, REHEARSAL, type EarlierLook } from '../datapoints/redefining/look-first.ts'
import { changeDomain } from '../change-domain.ts'
import type { DomainContext } from '../domain-context.ts'
import { hashingFirst, type HashingContext } from '../hash-first.ts'
import { liveDomain, type LiveDomain } from '../imports/planning/live-domain.ts'
import { readImport, readSettings } from '../imports/planning/read-import.ts'
import { refuseAccessChange } from '../imports/applying/refuse-access-changes.ts'
import { finishChanges, writeChanges } from '../imports/applying/write-changes.ts'

// The change of one record is an import of only that record. The same code validates, plans, guards and writes it.
// Differences: other records of its type are not compared, and in a managed type the change counts as drift.

function changing<T>(
  context: DomainContext,
  change: (sql: Sql, live: LiveDomain, context: HashingContext) => Promise<T>,
): Promise<T> {
  return hashingFirst(context, (context) => {
    const run = (earlier: EarlierLook) => (sql: Sql) =>
      change(sql, liveDomain(sql, context, undefined, earlier), context)
    return lookingFirst(context, false, {
      change: (earlier) => changeDomain(context, run(earlier)),
      rehearse: () => readDomain(context.database, context.domain.id, run(REHEARSAL)),
    })
  })
}

/** Creates a record from its form in the import document. */
export async function createRecord(
  context: DomainContext,
  name: RecordTypeName,
  input: JsonObject,
  allow: readonly GuardCode[],
): Promise<StoredRecord> {
  return changing(context, async (sql, live, context) => {
    const reading = listed(await readOne(sql, context, name, input), name)
    refuseWeakSecrets(reading)
    const key = keyOf(recordType(name), input)
    const [existing] = await fetchRecords(sql, context.domain.id, [{ type: name, key }])
    if (existing !== undefined)
      throw new HoldfastError('CONFLICT', `${recordType(name).definition} ${quoted(key)} exists already`)
    await changeOne({ sql, context, live, allow }, reading, { type: name, key })
    return stored(sql, context, name, key)
  })
}

/** Changes only the given fields. Others, also secrets, keep their values. `check` may refuse the change. */
export async function updateRecord(
  context: DomainContext,
  name: RecordTypeName,
  key: string,
  input: JsonObject,
  allow: readonly GuardCode[],
  check?: (live: StoredRecord) => void,
): Promise<StoredRecord> {
  return changing(context, async (sql, live, context) => {
    const type = recordType(name)
    const record = await stored(sql, context, name, key)
    check?.(record)
    if (type.tree !== undefined && parentKey(key) !== null) {
      throw new HoldfastError(
        'BAD_USER_INPUT',
        `${recordId(record)} is part of a tree; change it through ${type.tree.root} of the record at its root`,
      )
    }
    const merged = { ...record.body, ...placeholder(type, input), ...input }
    if (keyOf(type, merged) !== key) {
      throw new HoldfastError(
        'BAD_USER_INPUT',
        `an update cannot change the identity of ${recordId(record)}; use \`moved\` in holdfast.yaml, or delete and create`,
      )
    }
    const reading = listed(await readOne(sql, context, name, merged), name)
    refuseWeakSecrets(reading)
    await changeOne(
      { sql, context, live, allow },
      keepsSecret(type, input) ? keepingSecrets(reading, name) : reading,
      record,
    )
    return stored(sql, context, name, key)
  })
}

/** Refuses weak secrets, because the author of a single record can choose another one at once. */
function refuseWeakSecrets({ diagnostics }: DocumentReading): void {
  const [weak] = diagnostics.filter(({ code }) => code === WEAK_SECRET)
  if (weak !== undefined) throw new HoldfastError('BAD_USER_INPUT', weak.message, { details: [weak] })
}

/** Deletes a record and the records that it owns. Returns the record as it was before. */
export async function deleteRecord(
  context: DomainContext,
  name: RecordTypeName,
  key: string,
  allow: readonly GuardCode[],
): Promise<StoredRecord> {
  return changing(context, async (sql, live, context) => {
    const record = await stored(sql, context, name, key)
    const nothing: DesiredType = { coverage: 'listed', owners: 0, records: new Map(), covers: (other) => other === key }
    const snapshot = new Map([[name, nothing]])
    const reading = { snapshot, diagnostics: [], external: [], metadata: NO_METADATA_RULES }
    await changeOne({ sql, context, live, allow }, reading, record)
    return record
  })
}

async function stored(sql: Sql, { domain }: DomainContext, type: RecordTypeName, key: string): Promise<StoredRecord> {
  const [record] = await fetchRecords(sql, domain.id, [{ type, key }])
  if (record !== undefined) return record
  const message = isReserved({ type, key })
    ? `${reservedText({ type, key })}, which the platform reserves: it cannot be changed or deleted`
    : `there is no ${recordType(type).definition} ${quoted(key)}`
  throw new HoldfastError('NOT_FOUND', message)
}

interface Changing {
  readonly sql: Sql
  readonly context: HashingContext
  readonly live: LiveDomain
  readonly allow: readonly GuardCode[]
}

async function changeOne(
  { sql, context, live, allow }: Changing,
  reading: DocumentReading,
  target: RecordKey,
): Promise<void> {
  const settings: Settings = {
    ...NO_SETTINGS,
    acknowledge: allow.map((code) => ({ code, type: target.type, key: target.key })),
  }
  const check = (planned: PlanResult): void => {
    refuseAccessChange(context, planned)
    const { access } = planned.plan
    // Guards about managed types, and about access as a whole, are for changes that are easy to miss in a large plan. A
    // change of a single grant or user is intended, and only an administrator may make it.
    assertApplicable({ ...planned.plan, scope: [], access: { ...access, guards: [] } }, context)
  }
  const planned = await makePlan(reading, live, settings, { check })
  check(planned)
  const { plan } = planned
  const changes = allChanges(plan)
  const prepared = await prepareChanges(sql, context, null, reading, changes)
  await writeChanges(sql, context, changes, prepared)
  await rememberDrift(sql, context, plan)
  await finishChanges(sql, context, changes, prepared, () => live.lookAgain())
}

/** Reads one record. Grants are read from the settings. */
function readOne(
  sql: Sql,
  { domain }: DomainContext,
  name: RecordTypeName,
  input: JsonObject,
): Promise<DocumentReading> {
  const reading =
    name === ACCESS
      ? readImport(sql, domain.id, {}, readSettings({ [ACCESS]: [input] }).access)
      : readImport(sql, domain.id, { [name]: [input] })
  return reading.catch((error: unknown) => {
    throw asRefusedRecord(error, name)
  })
}

/** Records drift, only in types that an apply manages. Other types have no expected state. */
async function rememberDrift(sql: Sql, context: DomainContext, plan: Plan): Promise<void> {
  const managed = managedBefore(allRows(plan))
  const changes = allChanges(plan).filter(({ type }) => managed.has(type))
  await noteDrift(sql, context.domain.id, driftRows(context, changes))
}

/** Restricts a reading to the records that it lists and, in a tree, to their descendants. */
function listed(reading: DocumentReading, name: RecordTypeName): DocumentReading {
  const wanted = reading.snapshot.get(name)
  if (wanted === undefined) return reading
  const covers = (key: string) => isBelowAny(key, wanted.records) && wanted.covers(key)
  return {
    ...reading,
    snapshot: new Map(reading.snapshot).set(name, { coverage: 'listed', owners: 0, records: wanted.records, covers }),
  }
}

function keepsSecret(type: RecordType, input: JsonObject): boolean {
  return type.secret !== undefined && input[type.secret] === undefined
}

/** Adds the secret that a document must have. Its value is never used. */
function placeholder(type: RecordType, input: JsonObject): JsonObject {
  return type.secret !== undefined && keepsSecret(type, input) ? { [type.secret]: '${env:UNCHANGED}' } : {}
}

function keepingSecret({ type, key, pointer, digest, body, untouched }: DesiredRecord): DesiredRecord {
  return { type, key, pointer, digest, body, untouched, secret: 'keep' }
}

function keepingSecrets(reading: DocumentReading, name: RecordTypeName): DocumentReading {
  const wanted = reading.snapshot.get(name)
  if (wanted === undefined) return reading
  const records = new Map(
    [...wanted.records].map(([key, record]): [string, DesiredRecord] => [key, keepingSecret(record)]),
  )
  const { coverage, owners } = wanted
  return {
    ...reading,
    snapshot: new Map(reading.snapshot).set(name, { coverage, owners, records, covers: (key) => wanted.covers(key) }),
  }
}

/** Describes the errors of a single record without mentioning an import document. The findings do not change. */
function asRefusedRecord(error: unknown, type: RecordTypeName): unknown {
  if (!(error instanceof HoldfastError) || error.code !== 'BAD_USER_INPUT') return error
  const messages = error.details.filter(isError).map(({ message }) => message)
  const [first, ...others] = messages
  if (first === undefined) return error
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  const message = `the ${recordType(type).definition} is not valid, and nothing was changed: ${first}${more}`
  return new HoldfastError(error.code, message, { details: error.details, cause: error })
}

function isError(detail: unknown): detail is { readonly message: string } {
  return isObject(detail) && detail['severity'] === 'error' && typeof detail['message'] === 'string'
}
