// Written by "holdfast types". Do not edit.

/** The characteristics, by their keys. */
export interface Characteristics {
  /** BLOB */
  readonly blob: { readonly value: string; readonly type: 'MEASUREMENT' }
  /** BOOLEAN */
  readonly boolean: { readonly value: boolean; readonly type: 'MEASUREMENT' }
  /** COUNT, from 0 */
  readonly count: { readonly value: number | string; readonly type: 'MEASUREMENT' }
  /** CURVE */
  readonly curve: { readonly value: unknown; readonly type: 'MEASUREMENT' }
  /** DATE */
  readonly date: { readonly value: string; readonly type: 'MEASUREMENT' }
  /**
   * DAYS
   *
   * @deprecated Its status is ARCHIVED.
   */
  readonly days: { readonly value: readonly ('mo' | 'tu')[]; readonly type: 'MEASUREMENT' }
  /** MODE */
  readonly mode: { readonly value: 'comfort' | 'eco'; readonly type: 'SETTING' }
  /** PERCENT, from 0 to 100 */
  readonly percent: { readonly value: number; readonly type: 'MEASUREMENT' }
  /** STRING */
  readonly string: { readonly value: string; readonly type: 'MEASUREMENT' }
  /**
   * Temperature, °C, from -20 to 60 in steps of 0.1
   *
   * In the middle of the room.
   * Not at the window.
   */
  readonly temperature: { readonly value: number; readonly type: 'MEASUREMENT' }
  /** TIME */
  readonly time: { readonly value: string; readonly type: 'MEASUREMENT' }
  /** TIMESPAN */
  readonly timespan: { readonly value: string; readonly type: 'MEASUREMENT' }
  /** TIMESTAMP */
  readonly timestamp: { readonly value: string; readonly type: 'MEASUREMENT' }
}

/** The characteristics of each service, by their paths. */
export interface Services {
  /** Climate */
  readonly climate: {
    readonly 'climate/days': Characteristics['days']
    readonly 'climate/mode': Characteristics['mode']
    readonly 'climate/temperature': Characteristics['temperature']
  }
  /** Extra */
  readonly 'extra~1all': {
    readonly 'extra~1all/boolean': Characteristics['boolean']
    readonly 'extra~1all/count': Characteristics['count']
    readonly 'extra~1all/curve': Characteristics['curve']
  }
}

/** The data model, for the client of Holdfast. */
export interface Model {
  readonly componentModels: {
    /**
     * Bare
     *
     * @deprecated Its status is DEACTIVATED.
     */
    readonly bare: {}
    /** Thermostat */
    readonly thermostat: Services['climate'] & Services['extra~1all']
  }
  readonly eventModels: {
    /** A window */
    readonly 'window-open': {
      readonly entityType: 'COMPONENT'
      readonly eventLevel: 'WARNING'
      readonly eventType: 'RANGED'
    }
  }
  readonly metadata: {
    readonly CHARACTERISTIC: {}
    readonly COMPONENT: {
      /** On the plate */
      readonly serial: string
    }
    readonly COMPONENT_MODEL: {}
    readonly EVENT: {}
    readonly EVENT_MODEL: {}
    readonly ORGANIZATION: {}
    readonly ORGANIZATION_UNIT: {}
    readonly SERVICE: {}
    readonly SYSTEM: {
      readonly 'floor no': number | string
    }
    readonly USER: {}
  }
}
