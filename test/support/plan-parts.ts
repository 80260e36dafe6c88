import { recordId } from '../../src/records/record-id.ts'
import { fetchAllRecords, fetchRecords, type StoredRecord } from '../../src/store/model/records.ts'
import { readDomain } from '../../src/store/domains.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import type { Action, Change, GuardCode, Plan, ScopeRow } from '../../src/plan/plan.ts'
import { PLANNED_TYPE_NAMES, type RecordTypeName } from '../../src/records/record-type.ts'

/** `action type/key` of every change. */
export function effects({ changes }: Plan): string[] {
  return changes.map(
    ({ action, type, key, from }) => `${action} ${type}/${from === undefined ? key : `${from} → ${key}`}`,
  )
}

export function keysOf({ changes }: Plan, action: Action, type: RecordTypeName): string[] {
  return changes.filter((change) => change.action === action && change.type === type).map(({ key }) => key)
}

export function rowOf({ scope }: Plan, type: RecordTypeName): ScopeRow {
  const row = scope.find((one) => one.type === type)
  if (row === undefined) throw new Error(`the plan has no scope row for ${type}`)
  return row
}

export function changeOf({ changes }: Plan, type: RecordTypeName, key: string): Change {
  const change = changes.find((one) => one.type === type && one.key === key)
  if (change === undefined) throw new Error(`the plan does not change ${type}/${key}`)
  return change
}

export function codesOf(guarded: Pick<ScopeRow | Change, 'guards'>): GuardCode[] {
  return guarded.guards.map(({ code }) => code)
}

export function findings({ diagnostics }: Plan): string[] {
  return diagnostics.map(({ code }) => code)
}

/** All records of the domain. */
export function storedRecords(
  { database, domain }: DomainContext,
  types: readonly RecordTypeName[] = PLANNED_TYPE_NAMES,
): Promise<StoredRecord[]> {
  return readDomain(database, domain.id, async (sql) => {
    const known = await fetchAllRecords(sql, domain.id, types)
    const records = new Map((await fetchRecords(sql, domain.id, known)).map((record) => [recordId(record), record]))
    return known.flatMap((record) => records.get(recordId(record)) ?? [])
  })
}

export async function storedKeys(context: DomainContext, type: RecordTypeName): Promise<string[]> {
  return (await storedRecords(context, [type])).map(({ key }) => key)
}

export async function storedRecord(context: DomainContext, type: RecordTypeName, key: string): Promise<StoredRecord> {
  const record = (await storedRecords(context, [type])).find((one) => one.key === key)
  if (record === undefined) throw new Error(`there is no ${type}/${key}`)
  return record
}
