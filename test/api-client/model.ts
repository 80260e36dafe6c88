/** A model as `holdfast types` writes it, of the components of `makeSettingSite`. */
export interface Model {
  readonly componentModels: {
    readonly thermostat: {
      readonly 'heating/target': { readonly value: number; readonly type: 'SETTING' }
      readonly 'heating/pump': { readonly value: boolean; readonly type: 'SETTING' }
      readonly 'heating/limit': { readonly value: number; readonly type: 'SETTING' }
      readonly 'heating/mode': { readonly value: 'auto' | 'away'; readonly type: 'SETTING' }
      readonly 'heating/schedule': { readonly value: readonly number[]; readonly type: 'SETTING' }
      readonly 'heating/temperature': { readonly value: number; readonly type: 'SENSOR' }
    }
    readonly boiler: {
      readonly 'heating/temperature': { readonly value: number; readonly type: 'SENSOR' }
    }
  }
  readonly eventModels: { readonly [key: string]: object }
  readonly metadata: { readonly [target: string]: object }
}
