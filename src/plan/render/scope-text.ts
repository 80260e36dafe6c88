import { counted } from '../../lib/counted.ts'
import { embeddedInto } from '../../records/registry.ts'
import { isNotManagedNow } from '../scope.ts'
import type { Change, Guard, Plan, ScopeRow } from '../plan.ts'

/** One line of the scope table, about one record type or about all types without anything special. */
export interface ScopeLine {
  readonly label: string
  readonly text: string
  readonly guards: readonly Guard[]
  /** Whether something about the scope changes or a guard stops it. */
  readonly attention: boolean
}

export function scopeLines({ scope, changes }: Plan): ScopeLine[] {
  const special = scope.flatMap((row) => {
    const text = specialText(row, changes)
    const attention = !isSteady(row) && !isNotManagedNow(row)
    return text === null ? [] : [{ label: row.type, text, guards: row.guards, attention }]
  })
  const types = new Set(special.map(({ label }) => label))
  const rest = scope.filter(({ type }) => !types.has(type))
  return [...managedLine(rest), ...unmanagedLine(rest), ...special]
}

/** Tells whether links are managed by embedded lists, as they were before. */
function isSteady({ state, previously, owners, guards }: ScopeRow): boolean {
  return state === 'managed' && previously === 'partial' && owners !== undefined && guards.length === 0
}

/** The state of one row in full, for a table of all rows. */
export function scopeText(row: ScopeRow, changes: readonly Change[]): string {
  if (row.state === 'unmanaged' && !isNotManagedNow(row)) return 'unmanaged'
  return specialText(row, changes) ?? `managed (${counted(row.files, 'file')}, ${counted(row.desired, 'record')})`
}

function specialText(row: ScopeRow, changes: readonly Change[]): string | null {
  const { type, state, previously, owners, actual, untouched = 0 } = row
  if (isNotManagedNow(row)) return `not in this document, still managed: ${counted(actual, 'record')} untouched`
  const deletes = changes.filter((change) => change.type === type && change.action === 'delete').length
  if (state === 'released')
    return owners === undefined
      ? `no longer managed: ${stayBehind(actual)}`
      : `from now on ${ownersText(row)}; the others stay behind`
  if (state === 'emptied') return `managed, empty: deletes ${deletes}`
  if (owners !== undefined) return ownersText(row)
  if (state === 'managed' && previously === 'partial') return `all of it managed from now on${deletesText(deletes)}`
  if (state === 'managed' && previously === null && actual > 0) {
    return `taken over: no apply has managed it before; ${counted(actual, 'record')} on the platform${deletesText(deletes)}`
  }
  if (row.guards.length > 0) return `managed, deletes ${deletes} of ${actual}`
  return untouched > 0 ? `managed, except ${counted(untouched, 'record')} below those that do not list theirs` : null
}

function deletesText(deletes: number): string {
  return deletes === 0 ? '' : `, deletes ${deletes}`
}

function stayBehind(count: number): string {
  return `${counted(count, 'record')} ${count === 1 ? 'stays' : 'stay'} behind`
}

function ownersText({ type, owners = 0, untouched = 0 }: ScopeRow): string {
  const [embedding] = embeddedInto(type)
  const others = untouched === 0 ? '' : `; ${counted(untouched, 'link')} of others untouched`
  const names = embedding?.owner.name ?? 'records'
  return `links of ${owners} ${owners === 1 ? names.slice(0, -1) : names} only${others}`
}

function managedLine(rows: readonly ScopeRow[]): ScopeLine[] {
  const managed = rows.filter(({ state }) => state === 'managed')
  if (managed.length === 0) return []
  const records = managed.reduce((sum, { desired }) => sum + desired, 0)
  return [summaryLine('managed', `${counted(managed.length, 'type')}, ${counted(records, 'record')}`)]
}

function unmanagedLine(rows: readonly ScopeRow[]): ScopeLine[] {
  const unmanaged = rows.filter(({ state }) => state === 'unmanaged')
  if (unmanaged.length === 0) return []
  const records = unmanaged.reduce((sum, { actual }) => sum + actual, 0)
  const untouched =
    records === 0 ? 'nothing on the platform' : `${counted(records, 'record')} on the platform, untouched`
  return [summaryLine('unmanaged', `${unmanaged.map(({ type }) => type).join(', ')} (${untouched})`)]
}

function summaryLine(label: string, text: string): ScopeLine {
  return { label, text, guards: [], attention: false }
}
