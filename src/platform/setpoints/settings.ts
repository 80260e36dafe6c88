import type { SetpointProblem } from './check-setpoints.ts'

/** Service and characteristic by uuid or record key. */
export interface SettingName {
  readonly service: string
  readonly characteristic: string
  readonly value: unknown
}

export interface ComponentSetting extends SettingName {
  readonly component: string
}

/** A setting, and a problem, with the place in the request that it comes from. */
export type PointedSetting = ComponentSetting & { readonly pointer: string }
export type PointedProblem = SetpointProblem & { readonly pointer: string }

export function notSupported({
  service,
  characteristic,
}: Pick<SettingName, 'service' | 'characteristic'>): SetpointProblem {
  const [what, of] = [JSON.stringify(characteristic), JSON.stringify(service)]
  return {
    field: null,
    code: 'not-supported',
    detail: `the component's model has no characteristic ${what} in a service ${of}`,
  }
}
