import type { Caller } from '../auth/require-right.ts'
import type { HeldRole } from '../auth/roles.ts'
import type { Right } from '../auth/scopes.ts'
import type { JsonObject } from '../lib/json.ts'
import type { GuardCode, Plan } from '../plan/plan.ts'
import type { RecordBody, RecordKey, RecordTypeName } from '../records/record-type.ts'
import type { AccessResolvers } from './access-resolvers.ts'
import type { ApplyView } from './apply-view.ts'
import type { DatapointResolvers } from './datapoint-resolvers.ts'
import type { EventResolvers } from './event-resolvers.ts'
import type { GrantResolvers } from './grant-resolvers.ts'
import type { SessionResolvers } from './session-resolvers.ts'
import type { SetpointResolvers } from './setpoint-resolvers.ts'
import type { RetentionResolvers } from './retention-resolvers.ts'
import type { SubscriptionResolvers } from './subscription-resolvers.ts'
import type { SystemResolvers } from './system-resolvers.ts'

// What the schema asks of the platform. The schema is made once and knows nobody; each request brings its own resolvers.

export interface GraphqlContext {
  /** On the whole domain: for fields of what an operation has found, which was found where the caller may look. */
  readonly resolvers: Resolvers
  /** For an operation that needs a right: bound to the organizations within which the caller has it. */
  resolversFor(right: Right): Resolvers
  readonly caller: Caller
}

export interface DomainView {
  readonly uuid: string
  readonly name: string
  readonly hostNames: readonly string[]
}

/** On whose behalf a request is made. */
export interface CallerView {
  readonly name: string
  readonly kind: 'person' | 'machine' | 'platform'
  readonly login: string | null
  readonly scopes: readonly string[]
  readonly rights: readonly Right[]
  readonly roles: readonly HeldRole[]
}

export interface RecordView extends RecordKey {
  readonly uuid: string
  readonly body: RecordBody
  readonly createdAt: Date
  readonly updatedAt: Date
  /** Only in the answer of the mutation that made the record, which is the last time that anybody sees it. */
  readonly secret?: string
}

export interface RecordOrder {
  readonly by: 'KEY' | 'CREATED_AT' | 'UPDATED_AT'
  readonly direction: 'ASC' | 'DESC'
}

export interface RecordListArguments {
  readonly first: number
  readonly after?: string | null
  readonly filter?: {
    readonly status?: readonly string[] | null
    readonly recordKeys?: readonly string[] | null
    readonly search?: string | null
  } | null
  readonly orderBy?: RecordOrder | null
}

export interface RecordEdge {
  readonly node: RecordView
  readonly cursor: string
}

export interface RecordConnection {
  readonly edges: readonly RecordEdge[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly totalCount: number
}

export interface PlanView {
  readonly plan: Plan
  /** Where in the import document a change comes from, by `type/key`. */
  readonly pointers: ReadonlyMap<string, string>
}

export interface ApplyOriginInput {
  readonly applyId?: string | null
  readonly commit?: string | null
  readonly repository?: string | null
  readonly ref?: string | null
  readonly actor?: string | null
  readonly rollbackOf?: string | null
}

export interface ApplyArguments {
  readonly document: unknown
  readonly settings?: unknown
  readonly plan: unknown
  readonly origin?: ApplyOriginInput | null
}

export interface ApplyPage {
  readonly applies: readonly ApplyView[]
  readonly hasNextPage: boolean
}

export interface Resolvers
  extends
    AccessResolvers,
    SystemResolvers,
    EventResolvers,
    GrantResolvers,
    DatapointResolvers,
    RetentionResolvers,
    SessionResolvers,
    SetpointResolvers,
    SubscriptionResolvers {
  currentDomain(): DomainView
  me(): CallerView
  /** A random one, for a program. */
  newSecret(): string
  listRecords(type: RecordTypeName, query: RecordListArguments): Promise<RecordConnection>
  findRecord(type: RecordTypeName, key: string): Promise<RecordView | null>
  createRecord(type: RecordTypeName, input: JsonObject, allow: readonly GuardCode[]): Promise<RecordView>
  updateRecord(type: RecordTypeName, key: string, input: JsonObject, allow: readonly GuardCode[]): Promise<RecordView>
  deleteRecord(type: RecordTypeName, key: string, allow: readonly GuardCode[]): Promise<RecordView>
  planImport(document: unknown, settings: unknown): Promise<PlanView>
  applyImport(request: ApplyArguments): Promise<ApplyView>
  importDocument(types: readonly RecordTypeName[] | null): Promise<JsonObject>
  accessDocument(): Promise<readonly JsonObject[]>
  listApplies(first: number, after: string | null): Promise<ApplyPage>
  findApply(uuid: string): Promise<ApplyView | null>
  listApplyChanges(uuid: string): Promise<readonly JsonObject[]>
  planRollback(apply: string, settings: unknown): Promise<PlanView>
}
