import type { Status } from '../../generated/import-document.ts'
import type { JsonObject } from '../lib/json.ts'

// What the schema asks of the platform about systems, their components and the devices that send for them.

export interface PageArguments {
  readonly first: number
  readonly after?: string | null
}

export interface PageView<Node> {
  readonly nodes: readonly Node[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly totalCount: number
}

export interface MetadataArgument {
  readonly key: string
  readonly value: unknown
}

export interface SystemView {
  readonly uuid: string
  readonly name: string
  readonly status: Status
  readonly isPrototype: boolean
  readonly organizationUnit: string | null
  readonly metadata: readonly JsonObject[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface NewSystemArguments {
  readonly uuid?: string | null
  readonly name: string
  readonly status?: Status | null
  readonly isPrototype?: boolean | null
  readonly organizationUnit?: string | null
  readonly metadataKeyValueStore?: readonly MetadataArgument[] | null
}

export type SystemPatchArguments = Partial<Omit<NewSystemArguments, 'uuid' | 'name'>> & {
  readonly name?: string | null
}

export interface SystemListArguments extends PageArguments {
  readonly filter?: {
    readonly uuids?: readonly string[] | null
    readonly status?: readonly Status[] | null
    readonly organizationUnits?: readonly string[] | null
    readonly search?: string | null
  } | null
}

export interface ComponentView {
  readonly uuid: string
  readonly systemUuid: string
  readonly model: string
  readonly name: string
  readonly status: Status
  readonly isPrototype: boolean
  readonly metadata: readonly JsonObject[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface NewComponentArguments {
  readonly uuid?: string | null
  readonly system: string
  readonly componentModel: string
  readonly name: string
  readonly status?: Status | null
  readonly isPrototype?: boolean | null
  readonly metadataKeyValueStore?: readonly MetadataArgument[] | null
}

export interface ComponentPatchArguments {
  readonly name?: string | null
  readonly status?: Status | null
  readonly isPrototype?: boolean | null
  readonly metadataKeyValueStore?: readonly MetadataArgument[] | null
}

export interface ComponentListArguments extends PageArguments {
  readonly filter?: {
    readonly systems?: readonly string[] | null
    readonly componentModels?: readonly string[] | null
    readonly status?: readonly Status[] | null
    readonly search?: string | null
  } | null
}

/** A characteristic of a service that a component can have data of. */
export interface SupportedView {
  readonly serviceUuid: string
  readonly serviceKey: string
  readonly serviceName: string
  readonly serviceStatus: Status
  readonly characteristicUuid: string
  readonly characteristicKey: string
  readonly characteristicBody: JsonObject
}

export interface CredentialView {
  readonly accountUuid: string
  readonly systemUuid: string
  readonly username: string
  readonly createdAt: Date
  /** Only in the answer of the mutation that made it. */
  readonly password?: string
}

export interface SystemResolvers {
  listSystems(query: SystemListArguments): Promise<PageView<SystemView>>
  findSystem(uuid: string): Promise<SystemView | null>
  createSystem(input: NewSystemArguments): Promise<SystemView>
  updateSystem(uuid: string, input: SystemPatchArguments): Promise<SystemView>
  listComponents(query: ComponentListArguments): Promise<PageView<ComponentView>>
  findComponent(uuid: string): Promise<ComponentView | null>
  /** Asked for many components in one request, it looks for all of them at once. */
  supportOf(component: string): Promise<readonly SupportedView[]>
  createComponents(inputs: readonly NewComponentArguments[]): Promise<readonly ComponentView[]>
  updateComponent(uuid: string, input: ComponentPatchArguments): Promise<ComponentView>
  listSystemCredentials(system: string): Promise<readonly CredentialView[]>
  createSystemCredential(system: string): Promise<CredentialView>
  revokeSystemCredential(accountUuid: string): Promise<CredentialView>
}
