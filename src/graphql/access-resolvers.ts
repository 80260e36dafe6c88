import type { ConfigurationInput, DelegatedConfiguration } from '../auth/method-configuration.ts'

// What the schema asks of the platform about who may sign in, and how.

export type StatusView = 'ACTIVATED' | 'DEACTIVATED' | 'ARCHIVED'

export type MethodView = {
  readonly uuid: string
  readonly name: string
  readonly status: StatusView
} & (
  | { readonly kind: 'internal' }
  | {
      readonly kind: 'openid-delegated'
      readonly configuration: DelegatedConfiguration
      readonly hasClientSecret: boolean
    }
)

type ConfigurationArgument = ConfigurationInput & { readonly clientSecret?: string | null }

export interface NewMethodArguments {
  readonly status: StatusView
  readonly name?: string | null
  readonly configuration: ConfigurationArgument
}

export interface MethodPatchArguments {
  readonly uuid: string
  readonly status?: StatusView | null
  readonly name?: string | null
  readonly configuration?: Partial<ConfigurationArgument> | null
}

export interface DelegatedUserView {
  readonly uuid: string
  readonly login: string
  readonly email: string | null
  readonly name: string | null
  readonly status: StatusView
  readonly identities: readonly IdentityView[]
  readonly createdAt: Date
}

export interface IdentityView {
  readonly uuid: string
  readonly issuer: string
  readonly subject: string
  readonly method: string | null
  readonly email: string | null
  readonly emailVerified: boolean
  readonly firstSeenAt: Date
  readonly lastSeenAt: Date
  readonly account: {
    readonly uuid: string
    readonly login: string
    readonly status: StatusView
    readonly isOfModel: boolean
  } | null
  readonly refusal: string | null
  readonly refusalDetail: string | null
}

export interface IdentityPage {
  readonly identities: readonly IdentityView[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
}

export interface IdentityFilterView {
  readonly account: string | null
  readonly method: string | null
  readonly isRefused: boolean | null
}

export interface DelegatedUserPage {
  readonly users: readonly DelegatedUserView[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
}

export interface DomainSettingsView {
  readonly requiresPkce: boolean
}

export interface AccessResolvers {
  domainSettings(): Promise<DomainSettingsView>
  updateDomain(settings: Partial<DomainSettingsView>): Promise<void>
  listMethods(): Promise<readonly MethodView[]>
  createDelegatedMethod(method: NewMethodArguments): Promise<MethodView>
  updateMethod(patch: MethodPatchArguments): Promise<MethodView>
  deleteMethod(uuid: string): Promise<MethodView>
  listDelegatedUsers(first: number, after: string | null): Promise<DelegatedUserPage>
  updateDelegatedUser(uuid: string, status: StatusView): Promise<DelegatedUserView>
  listIdentities(filter: IdentityFilterView, first: number, after: string | null): Promise<IdentityPage>
  unbindIdentity(uuid: string): Promise<IdentityView>
  rotateSigningKey(): Promise<{ readonly kid: string; readonly signsFrom: Date }>
  createPasswordLink(email: string): Promise<{ readonly path: string; readonly expiresAt: Date }>
}
