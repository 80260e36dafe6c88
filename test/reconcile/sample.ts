import type { JsonObject } from '../../src/lib/json.ts'

/** The smallest models that are worth a plan. */
export function characteristic(code: string, more: JsonObject = {}): JsonObject {
  return { code, name: code.toUpperCase(), characteristicType: 'MEASUREMENT', dataType: 'FLOAT', ...more }
}

export function models(...codes: readonly string[]): string {
  return JSON.stringify({ characteristics: codes.map((code) => characteristic(code)) })
}

export function live(...codes: readonly string[]): JsonObject {
  return { characteristics: codes.map((code) => characteristic(code)) }
}
