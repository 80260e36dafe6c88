// Generated from schemas/ by "npm run types". Do not edit.
import type { ErrorObject } from 'ajv'

export interface Validator {
  (data: unknown): boolean
  /** The errors of the last call. Each call replaces them. */
  errors?: ErrorObject[] | null
}

export const importDocument: Validator
export const settings: Validator
export const plan: Validator

/** Validates one record of a record type. */
export const records: {
  readonly applicationConsumers: Validator
  readonly characteristics: Validator
  readonly characteristicServiceLinks: Validator
  readonly componentModels: Validator
  readonly dataSources: Validator
  readonly eventModels: Validator
  readonly machineUsers: Validator
  readonly metadataTypes: Validator
  readonly services: Validator
  readonly serviceComponentModelLinks: Validator
  readonly organizations: Validator
  readonly users: Validator
}
