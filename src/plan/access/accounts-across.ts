import { splitKey } from '../../records/identity.ts'
import { recordId } from '../../records/record-id.ts'
import type { RecordBody, RecordKey, RecordTypeName } from '../../records/record-type.ts'
import { typeThatSignsIn } from '../../records/registry.ts'
import type { Grantee } from '../../records/types/grant.ts'
import { GrantBook, type GivenRole } from '../../records/types/grant-book.ts'
import { grantOf, holderOf } from '../../records/types/granted.ts'
import { organizationOf } from '../../records/types/user.ts'
import type { Draft } from '../compare/draft-changes.ts'
import type { Grants } from './grants-after.ts'

// An account has the roles of its grants while it is ACTIVATED. It is controlled by the people who control its key,
// such as an e-mail address, and by the people who know its password.

const KINDS_OF_ACCOUNTS = ['person', 'machine'] as const

type KindOfAccount = (typeof KINDS_OF_ACCOUNTS)[number]

const TYPES: ReadonlyMap<RecordTypeName, KindOfAccount> = new Map(
  KINDS_OF_ACCOUNTS.map((kind) => [typeThatSignsIn(kind).name, kind]),
)

/** An account after a plan, and what it was before. */
export interface AccountAcross extends RecordKey {
  readonly kind: KindOfAccount
  /** Null if the plan does not change the record itself. */
  readonly draft: Draft | null
  readonly after: GivenRole[]
  /** The roles of the record before the plan, even if it had another key. */
  readonly before: GivenRole[]
  /** The roles of the account that had this key before the plan. */
  readonly beforeAtKey: GivenRole[]
}

export function isAccount({ type }: Pick<RecordKey, 'type'>): boolean {
  return TYPES.has(type)
}

/** Lists the accounts that grants name and that the plan does not change. They must be read. */
export function accountsNamed(drafts: readonly Draft[], { staying, given, taken }: Grants): RecordKey[] {
  const changed = new Set(drafts.map(recordId))
  const bodies = [...staying.flatMap(({ before, after }) => [before, after]), ...given, ...taken]
  const holders = bodies.map(holderOf).filter((holder) => holder !== null)
  return [...new Map(holders.map((holder) => [recordId(holder), holder])).values()].filter(
    (holder) => !changed.has(recordId(holder)),
  )
}

/** Returns the accounts that the plan changes and the accounts that grants name. `bodies` belong to the latter. */
export function accountsAcross(
  drafts: readonly Draft[],
  { staying, given, taken }: Grants,
  bodies: readonly (RecordKey & { readonly body: RecordBody })[],
): AccountAcross[] {
  const before = new GrantBook([...staying.map((grant) => grantOf(grant.before)), ...taken.map(grantOf)])
  const after = new GrantBook([...staying.map((grant) => grantOf(grant.after)), ...given.map(grantOf)])
  const changed = drafts.filter(isAccount)
  const byKeyBefore = new Map(changed.map((draft) => [recordId({ ...draft, key: draft.from ?? draft.key }), draft]))
  return [
    ...changed.map((draft): AccountAcross => {
      const { type, key, from = key } = draft
      const atKey = byKeyBefore.get(recordId({ type, key }))?.before ?? null
      return {
        type,
        key,
        kind: kindOf(type),
        draft,
        after: rolesIn(after, { type, key }, draft.after),
        before: rolesIn(before, { type, key: from }, draft.before),
        beforeAtKey: rolesIn(before, { type, key }, atKey),
      }
    }),
    ...bodies.filter(isAccount).map(({ type, key, body }): AccountAcross => {
      const had = rolesIn(before, { type, key }, body)
      return {
        type,
        key,
        kind: kindOf(type),
        draft: null,
        after: rolesIn(after, { type, key }, body),
        before: had,
        beforeAtKey: had,
      }
    }),
  ]
}

function kindOf(type: RecordTypeName): KindOfAccount {
  return TYPES.get(type) ?? 'person'
}

function rolesIn(book: GrantBook, { type, key }: RecordKey, body: RecordBody | null): GivenRole[] {
  return isActive(body) ? book.givenTo(granteeOf(kindOf(type), key, body)) : []
}

export function isActive(body: RecordBody | null): body is RecordBody {
  return body !== null && (body['status'] ?? 'ACTIVATED') === 'ACTIVATED'
}

function granteeOf(kind: KindOfAccount, key: string, body: RecordBody): Grantee {
  const login = splitKey(key)[0] ?? ''
  return { kind, login, isOfModel: true, organization: organizationOf(body), fits: [] }
}
