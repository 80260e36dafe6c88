import { counted, formatCount } from '../../lib/counted.ts'
import { plainText } from '../../lib/visible-text.ts'
import { embeddedInto } from '../../records/registry.ts'
import { isNotManagedNow } from '../scope.ts'
import { takesOwnership, type Change, type Guard, type Plan, type ScopeRow, type Withheld } from '../plan.ts'

/** Escapes the name of an owner for the output format. */
type ShowName = (name: string) => string

/** One line of the scope table, about one record type or about all types without anything special. */
interface ScopeLine {
  readonly label: string
  readonly text: string
  readonly guards: readonly Guard[]
  /** Whether something about the scope changes or a guard stops it. */
  readonly attention: boolean
}

export function scopeLines({ scope, changes }: Plan): ScopeLine[] {
  const others = scope.filter(({ managedBy, guards }) => managedBy !== undefined && guards.length === 0)
  const special = scope.flatMap((row) => {
    if (others.includes(row)) return []
    const text = specialText(row, changes)
    const attention = !isSteady(row) && !isNotManagedNow(row)
    return text === null ? [] : [{ label: row.type, text, guards: row.guards, attention }]
  })
  const types = new Set(special.map(({ label }) => label))
  const rest = scope.filter((row) => !types.has(row.type) && !others.includes(row))
  return [...managedLine(rest), ...otherLines(others), ...unmanagedLine(rest), ...special]
}

/** One line for each other owner, with its types that the document lacks or leaves unchanged. */
function otherLines(rows: readonly ScopeRow[]): ScopeLine[] {
  return [...Map.groupBy(rows, ({ managedBy = '' }) => managedBy)].map(([owner, own]) => {
    const records = own.reduce((sum, { actual, live = actual }) => sum + live, 0)
    const types = own.map(({ type }) => type).join(', ')
    return summaryLine(`managed by ${plainText(owner)}`, `${types} (${counted(records, 'record')}, untouched)`)
  })
}

/** Tells whether links are managed by embedded lists, as they were before. */
function isSteady({ state, previously, owners, guards }: ScopeRow): boolean {
  return state === 'managed' && previously === 'partial' && owners !== undefined && guards.length === 0
}

/** The state of one row in full, for a table of all rows. */
export function scopeText(row: ScopeRow, changes: readonly Change[], showName?: ShowName): string {
  return (
    specialText(row, changes, showName) ??
    (row.state === 'unmanaged'
      ? 'unmanaged'
      : `managed (${counted(row.files, 'file')}, ${counted(row.desired, 'record')})`)
  )
}

function specialText(row: ScopeRow, changes: readonly Change[], showName: ShowName = plainText): string | null {
  const { type, state, previously, managedBy, owners, actual, live = actual, untouched = 0 } = row
  if (managedBy !== undefined && row.guards.length === 0)
    return `managed by ${showName(managedBy)}: ${counted(live, 'record')} untouched`
  if (isNotManagedNow(row)) return `not in this document, still managed: ${counted(live, 'record')} untouched`
  const deletes = changes.filter((change) => change.type === type && change.action === 'delete').length
  if (state === 'released')
    return owners === undefined
      ? `no longer managed: ${stayBehind(actual)}`
      : `from now on ${ownersText(row)}; the others are no longer managed`
  if (takesOwnership(row)) return `managed by ${showName(managedBy ?? '')}, and in this document, too`
  if (state === 'emptied') return `managed, empty: deletes ${deletes}`
  if (owners !== undefined) return ownersText(row)
  if (state === 'managed' && previously === 'partial') return `all of it managed from now on${deletesText(deletes)}`
  if (state === 'managed' && previously === null && actual > 0) {
    return `taken over: no apply has managed it before; ${counted(live, 'record')} on the platform${deletesText(deletes)}`
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
  const records = unmanaged.reduce((sum, { actual, live = actual }) => sum + live, 0)
  const untouched =
    records === 0 ? 'nothing on the platform' : `${counted(records, 'record')} on the platform, untouched`
  return [summaryLine('unmanaged', `${unmanaged.map(({ type }) => type).join(', ')} (${untouched})`)]
}

function summaryLine(label: string, text: string): ScopeLine {
  return { label, text, guards: [], attention: false }
}

/** Says how many changes of people and programs are hidden from the reader; null if everything is shown. */
export function withheldText({ withheld = [] }: Pick<Plan, 'withheld'>): string | null {
  if (withheld.length === 0) return null
  return `Not shown, since this token may not read the data model (model:read): ${withheld.map(rowText).join(', ')}.`
}

function rowText({ type, action, count, stopped }: Withheld): string {
  const guards = stopped === 0 ? '' : ` (${counted(stopped, 'guard')} open)`
  return `${formatCount(count)} of ${type} to ${action}${guards}`
}
