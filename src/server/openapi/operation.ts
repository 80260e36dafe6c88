import { HoldfastError } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { Deprecation } from '../deprecation.ts'

/** The OpenAPI description of an operation, without its right and the answers that every request can get. */
export interface OperationDescription {
  readonly operationId: string
  readonly tag: 'Datapoints' | 'Setpoints' | 'Data model' | 'Descriptions'
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: JsonObject
  readonly responses: JsonObject
  /** If present, the answers announce that the operation will be removed, and OpenAPI says so. */
  readonly deprecated?: Deprecation
}

export interface Parameter {
  readonly in: 'query' | 'header'
  readonly name: string
  readonly description: string
  readonly schema: JsonObject
  /** False for a list that is separated by commas. For other lists the parameter is repeated. */
  readonly explode?: boolean
}

export function parameter(place: Parameter['in'], name: string, description: string, schema: JsonObject): Parameter {
  return { in: place, name, description, schema }
}

export const query = (name: string, description: string, schema: JsonObject): Parameter =>
  parameter('query', name, description, schema)

export const UUIDS: JsonObject = { type: 'array', items: { type: 'string', format: 'uuid' } }

/** Rejects parameters that are not declared, and repeated parameters that are not lists. */
export function checkQuery(given: URLSearchParams, declared: readonly Parameter[]): void {
  const known = declared.filter((one) => one.in === 'query')
  for (const name of new Set(given.keys())) {
    const found = known.find((one) => one.name === name)
    if (found === undefined) throw new HoldfastError('BAD_USER_INPUT', unknownMessage(name, known))
    const isList = found.schema['type'] === 'array' && found.explode !== false
    if (!isList && given.getAll(name).length > 1) throw new HoldfastError('BAD_USER_INPUT', `${name} is given twice`)
  }
}

function unknownMessage(name: string, known: readonly Parameter[]): string {
  const possible = known.map((one) => one.name).join(', ')
  return `${JSON.stringify(name.slice(0, 60))} is no parameter here; ${possible === '' ? 'there are none' : `possible are ${possible}`}`
}
