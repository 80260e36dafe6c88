import { parseJson, type Json } from '../../lib/json.ts'
import type { StoredSetpoint } from '../../store/setpoints/setpoints.ts'

export interface Setpoint extends Omit<StoredSetpoint, 'value'> {
  /** The value as the API shows values of its characteristic. */
  readonly value: Json
}

export function toSetpoint({ value, ...stored }: StoredSetpoint): Setpoint {
  return { ...stored, value: parseJson(value) }
}
