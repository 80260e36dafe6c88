import type { HeldRole } from '../../auth/roles.ts'
import { plainText } from '../../lib/visible-text.ts'
import { splitKey } from '../../records/identity.ts'
import { recordId } from '../../records/record-id.ts'
import type { RecordKey } from '../../records/record-type.ts'
import type { GivenRole } from '../../records/types/grant-book.ts'
import { subjectText } from '../../records/types/grant-text.ts'
import { bodyOf, holderOf } from '../../records/types/granted.ts'
import { organizationOf } from '../../records/types/user.ts'
import type { Draft } from '../compare/draft-changes.ts'
import type { MachineRule } from '../live-state.ts'
import { isReplaced } from '../plan.ts'
import { isActive, type AccountAcross } from './accounts-across.ts'
import { newSecret, rolesText, roleText, type Difference } from './difference.ts'
import { HeldRoles, withoutIncluded } from './held-roles.ts'
import { gainedRoles, type RoleCauses } from './role-causes.ts'
import type { UnitMoves } from './unit-moves.ts'

interface Across {
  readonly units: UnitMoves
  readonly undone: UnitMoves
  readonly causes: RoleCauses
  readonly rules: readonly MachineRule[]
  /** The systems that have accounts as their devices, by the key of the account. */
  readonly devices: ReadonlyMap<string, string>
}

/** The gains and losses of users and machine users. An unchanged account has those of its groups. */
export function accountDifferences(accounts: readonly AccountAcross[], across: Across): Difference[] {
  return accounts.map((account) => differenceOf(account, across)).filter((one) => one.text !== '')
}

function differenceOf(account: AccountAcross, { units, undone, causes, rules, devices }: Across): Difference {
  const { type, key, kind, draft, after, before, beforeAtKey } = account
  const isOwn = (given: readonly GivenRole[]) => {
    if (draft !== null) return () => true
    const own = new HeldRoles(given.filter((one) => isGivenTo(one, account)))
    return (role: HeldRole) => own.include(role)
  }
  // The holder of the key, such as an address, may be another person than the one who knows the password of the record.
  const gained = withoutIncluded(
    [beforeAtKey, before].flatMap((had) => gainedRoles(after, had, units)).filter(isOwn(after)),
  )
  const lost = gainedRoles(before, after, undone).filter(isOwn(before))
  const opened = rulesOpened(account, rules)
  const system = kind === 'machine' ? deviceOf(account, devices) : null
  const powers = [
    ...withoutIncluded(after).map(roleText),
    ...(system === null ? [] : [`the device of system ${system}`]),
  ]
  const hasNewSecret = powers.length > 0 && isSecretReplaced(draft, system)
  const isBack = isLetIn(draft, system)
  const becomes = [...gained.map(roleText), ...(isBack ? [`the device of system ${system}`] : [])]
  const loses = lost.map(roleText)
  const gains = [...becomes, ...opened.map(ruleText), ...(hasNewSecret ? ['a new password'] : [])]
  const isGaining = gains.length > 0
  const text = [
    rolesText(becomes, loses),
    ...(opened.length > 0 ? [`would act by ${opened.map(ruleText).join(' and ')}`] : []),
    ...(hasNewSecret ? [`would get a new password, as ${powers.join(' and ')}`] : []),
  ].filter((part) => part !== '')
  const by = causes.of(gained, after, draft)
  const how = draft !== null && by.some(isSame(draft)) ? howText(draft) : null
  const own = draft !== null && (opened.length > 0 || hasNewSecret || isBack) ? [keyOf(draft)] : []
  return {
    type,
    key,
    who: nameOf(account),
    gains,
    loses,
    text: text.join(', and ') + (how === null ? '' : `: ${how}`),
    because: isGaining ? unique([...by, ...own]) : draft === null ? [] : [keyOf(draft)],
    secret: draft === null ? null : newSecret(draft),
  }
}

/** The system whose data an account may send with any roles; null if there is none, or if it cannot sign in. */
function deviceOf({ key, draft }: AccountAcross, devices: Across['devices']): string | null {
  if (draft === null || !isActive(draft.after)) return null
  return devices.get(draft.from ?? key) ?? devices.get(key) ?? null
}

/** Tells whether a new record replaces the device's account, with its own secret. */
function isSecretReplaced(draft: Draft | null, system: string | null): boolean {
  if (draft === null) return false
  return draft.action === 'create' ? system !== null && draft.secret !== undefined : isReplaced(draft.secret)
}

function isLetIn(draft: Draft | null, system: string | null): boolean {
  return system !== null && draft !== null && draft.before !== null && !isActive(draft.before)
}

function isGivenTo({ grant }: GivenRole, account: RecordKey): boolean {
  const holder = holderOf(bodyOf(grant))
  return holder !== null && recordId(holder) === recordId(account)
}

/** The rules of providers that name a machine user who becomes able to act. */
function rulesOpened({ kind, key, draft }: AccountAcross, rules: readonly MachineRule[]): readonly MachineRule[] {
  if (kind !== 'machine' || draft === null || !isActive(draft.after)) return []
  if ((draft.from ?? key) === key && isActive(draft.before)) return []
  return rules.filter(({ machineUser }) => machineUser === splitKey(key)[0])
}

function ruleText({ method, rule, scopes }: MachineRule): string {
  return `the rule ${plainText(rule)} of ${plainText(method)} (${scopes.map(plainText).join(', ')})`
}

function nameOf({ kind, key }: Pick<AccountAcross, 'kind' | 'key'>): string {
  const login = splitKey(key)[0] ?? ''
  return subjectText(kind === 'person' ? { role: 'viewer', user: login } : { role: 'viewer', machineUser: login })
}

function howText({ type, from, key, before, after }: Draft): string | null {
  if (after === null) return null
  if (before === null) return 'a new account'
  if (from !== undefined && from !== key) return `${plainText(recordId({ type, key: from }))} is renamed to it`
  if (!isActive(before)) return 'it becomes ACTIVATED'
  const organization = organizationOf(after)
  return organization === null || organization === organizationOf(before) ? null : `comes to ${plainText(organization)}`
}

function isSame(record: RecordKey): (other: RecordKey) => boolean {
  return (other) => recordId(other) === recordId(record)
}

function keyOf({ type, key }: RecordKey): RecordKey {
  return { type, key }
}

function unique(records: readonly RecordKey[]): RecordKey[] {
  return [...new Map(records.map((record) => [recordId(record), record])).values()]
}
