import type { Diagnostic } from '../../lib/diagnostic.ts'
import { ACCESS, type RecordBody, type RecordKey } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { administratorOf } from '../../records/types/granted.ts'
import type { Draft } from '../compare/draft-changes.ts'
import type { Grants } from '../access/grants-after.ts'
import type { LiveState } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'

/** Tells whether any change could take an administrator away. */
export function mayEndAdministration(drafts: readonly Draft[]): boolean {
  return drafts.some(takesAdministrator) || drafts.some(endsSigningIn)
}

/**
 * Refuses plans that leave the domain without an administrator, because no one could appoint one again. The check
 * counts two kinds of accounts: users and machine users that a grant names and whose status is ACTIVATED, and
 * accounts that are administrators without a grant. It does not count grants to all members of something, because
 * there may be no members.
 */
export async function lastAdministrator(
  drafts: readonly Draft[],
  { staying, given, taken }: Grants,
  live: LiveState,
): Promise<Diagnostic[]> {
  const before = administrators([...staying.map((grant) => grant.before), ...taken])
  const after = administrators([...staying.map((grant) => grant.after), ...given])
  const bodies = new Map((await live.records([...before.values()])).map((record) => [recordId(record), record.body]))
  const changed = new Map(drafts.map((draft) => [recordId(draft), draft]))
  if (![...before.keys()].some((id) => isActive(bodies.get(id)))) return []
  const others = [...after.values()].filter((holder) => !changed.has(recordId(holder)))
  for (const record of await live.records(others)) bodies.set(recordId(record), record.body)
  const remains = [...after.keys()].some((id) => isActive(changed.has(id) ? changed.get(id)?.after : bodies.get(id)))
  if (remains || (await live.standingAdministrators?.()) !== 0) return []
  return [{ severity: 'error', code: 'last-administrator', message: MESSAGE, pointer: `/${ACCESS}` }]
}

const MESSAGE =
  'nobody would be administrator of the whole domain any more; leave the role to a user or machine user with the status ACTIVATED'

function administrators(bodies: readonly RecordBody[]): ReadonlyMap<string, RecordKey> {
  const holders = bodies.map(administratorOf).filter((holder) => holder !== null)
  return new Map(holders.map((holder) => [recordId(holder), holder]))
}

function takesAdministrator({ type, action, before }: Draft): boolean {
  return type === ACCESS && action === 'delete' && before !== null && administratorOf(before) !== null
}

function endsSigningIn({ type, before, after }: Draft): boolean {
  return recordType(type).signsIn !== undefined && before !== null && isActive(before) && !isActive(after)
}

function isActive(body: RecordBody | null | undefined): boolean {
  return body !== null && body !== undefined && (body['status'] ?? 'ACTIVATED') === 'ACTIVATED'
}
