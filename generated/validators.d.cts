// Generated from schemas/ by "npm run types". Do not edit.
import type { ErrorObject } from 'ajv'
import type { ApplicationConsumer, Characteristic, CharacteristicServiceLink, ComponentModel, DataSource, EventModel, ImportDocument, MachineUser, MetadataType, Organization, Service, ServiceComponentModelLink, User } from './import-document.ts' with { 'resolution-mode': 'import' }
import type { Plan } from './plan.ts' with { 'resolution-mode': 'import' }
import type { HoldfastSettings } from './settings.ts' with { 'resolution-mode': 'import' }
import type { Json } from '../src/lib/json.ts' with { 'resolution-mode': 'import' }

/** Writes the type of a schema as an object type, because TypeScript does not accept an interface as JSON. */
type Spelled<Type> = Type extends Json ? Type : { [key in keyof Type]: Spelled<Exclude<Type[key], undefined>> }

export interface Validator<Type = unknown> {
  (data: unknown): data is Spelled<Type>
  /** The errors of the last call. Each call replaces them. */
  errors?: ErrorObject[] | null
}

export const importDocument: Validator<ImportDocument>
export const settings: Validator<HoldfastSettings>
export const plan: Validator<Plan>

/** Validates one record of a record type. */
export const records: {
  readonly applicationConsumers: Validator<ApplicationConsumer>
  readonly characteristics: Validator<Characteristic>
  readonly characteristicServiceLinks: Validator<CharacteristicServiceLink>
  readonly componentModels: Validator<ComponentModel>
  readonly dataSources: Validator<DataSource>
  readonly eventModels: Validator<EventModel>
  readonly machineUsers: Validator<MachineUser>
  readonly metadataTypes: Validator<MetadataType>
  readonly services: Validator<Service>
  readonly serviceComponentModelLinks: Validator<ServiceComponentModelLink>
  readonly organizations: Validator<Organization>
  readonly users: Validator<User>
}
