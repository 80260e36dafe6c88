import { breather } from '../../db/breather.ts'
import type { Sql } from '../../db/sql.ts'
import { parseJson, type Json } from '../../lib/json.ts'
import { present } from '../../lib/present.ts'
import { fetchSetpointValues, type SetpointRow, type StoredSetpoint } from '../../store/setpoints/setpoints.ts'

export interface Setpoint extends Omit<StoredSetpoint, 'value' | 'bytes'> {
  /** The value as the API shows values of its characteristic. */
  readonly value: Json
}

export function toSetpoint({ value, bytes: _, ...stored }: StoredSetpoint): Setpoint {
  return { ...stored, value: parseJson(value) }
}

/** Shows many setpoints. Their values may be long, so other work runs in between. */
export async function toSetpoints(stored: readonly StoredSetpoint[]): Promise<Setpoint[]> {
  const breathe = breather()
  const setpoints: Setpoint[] = []
  for (const one of stored) {
    setpoints.push(toSetpoint(one))
    await breathe()
  }
  return setpoints
}

/** Reads the values that are long. The caller has made sure that all of them fit into memory. */
export async function withValues(sql: Sql, domainId: number, rows: readonly SetpointRow[]): Promise<StoredSetpoint[]> {
  const long = rows.filter(({ value }) => value === null).map(({ uuid }) => uuid)
  const values = await fetchSetpointValues(sql, domainId, long)
  return rows.map(({ value, ...row }) => ({ ...row, value: value ?? present(values.get(row.uuid)) }))
}

export function bytesOf(rows: readonly Pick<SetpointRow, 'bytes'>[]): number {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0)
}

export const SETPOINT_LIMITS = {
  /** The maximum number of setpoints of one mutation. */
  made: 10_000,
  /** The maximum number of entries of `models` in one mutation, since each is a statement. */
  models: 100,
  /** The maximum number of setpoints that a device gets at once. The others follow when these are acknowledged. */
  given: 1_000,
  /**
   * The maximum number of bytes of values that a device gets at once, which is the limit of a batch. A single value may
   * have more. The other setpoints follow later.
   */
  givenBytes: 16_777_216,
  /** The maximum number of components that a device asks about. */
  components: 1_000,
  /** The maximum number of characters of a device's reason. */
  reason: 1_000,
} as const
