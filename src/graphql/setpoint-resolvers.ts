import type { SetpointState } from '../datapoints/setpoint-state.ts'
import type { PageArguments, PageView } from './system-resolvers.ts'

// What the schema asks of the platform about setpoints.

export interface SetpointView {
  readonly uuid: string
  readonly systemUuid: string
  readonly componentUuid: string
  readonly serviceUuid: string
  readonly service: string
  readonly characteristicUuid: string
  readonly characteristic: string
  readonly value: unknown
  readonly state: SetpointState
  readonly reason: string | null
  readonly actor: string
  /** RFC 3339. */
  readonly setAt: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly changedAt: Date
}

interface SettingArguments {
  readonly service: string
  readonly characteristic: string
  readonly value: unknown
}

export interface SetSetpointsArguments {
  readonly components?: readonly (SettingArguments & { readonly component: string })[] | null
  readonly models?:
    | readonly (SettingArguments & {
        readonly componentModel: string
        readonly systems?: readonly string[] | null
        readonly organizationUnits?: readonly string[] | null
      })[]
    | null
  readonly expiresAt?: string | null
  readonly expiresIn?: string | null
}

export interface SetpointListArguments extends PageArguments {
  readonly filter?: {
    readonly systems?: readonly string[] | null
    readonly components?: readonly string[] | null
    readonly services?: readonly string[] | null
    readonly characteristics?: readonly string[] | null
    readonly states?: readonly SetpointState[] | null
    readonly from?: string | null
    readonly to?: string | null
  } | null
  readonly order?: 'newest first' | 'oldest first' | null
}

export interface SetpointResolvers {
  listSetpoints(query: SetpointListArguments): Promise<PageView<SetpointView>>
  findSetpoint(uuid: string): Promise<SetpointView | null>
  setSetpoints(settings: SetSetpointsArguments): Promise<readonly SetpointView[]>
}
