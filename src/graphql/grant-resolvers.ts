import type { Grant } from '../../generated/settings.ts'
import type { Role } from '../auth/roles.ts'
import type { GuardCode } from '../plan/plan.ts'
import type { PageArguments, PageView } from './system-resolvers.ts'

// What the schema asks of the platform about who may do what.

export interface GrantView extends Grant {
  readonly uuid: string
  readonly key: string
  readonly createdAt: Date
}

export interface ImpliedGrantView {
  readonly machineUser: string | null
  readonly role: Role | null
  readonly scopes: readonly string[]
  readonly reason: string
}

export interface LostRightView {
  readonly who: string
  readonly what: string
  readonly advice: string
}

export interface GrantResolvers {
  listLostRights(): Promise<readonly LostRightView[]>
  listGrants(page: PageArguments): Promise<PageView<GrantView>>
  listImpliedGrants(): Promise<readonly ImpliedGrantView[]>
  createGrant(input: Grant, allow: readonly GuardCode[]): Promise<GrantView>
  deleteGrant(key: string): Promise<GrantView>
}
