// An app compiles this against the packed packages. Each line below `@ts-expect-error` must not compile.
import type {
  ApplicationConsumer,
  Change,
  Characteristic,
  Component,
  ComponentModel,
  Digest,
  Event,
  ImportDocument,
  Json,
  MetadataItem,
  NewSystem,
  Plan,
  Setpoint,
  Settings,
  System,
  SystemFilter,
  SystemPatch,
  TypedMetadataValue,
} from 'holdfast'
import importDocument from 'holdfast/schemas/import-document.schema.json' with { type: 'json' }

// @ts-expect-error: no such type
import type { Sytsem } from 'holdfast'
// @ts-expect-error: internal modules are not exported
import type {} from 'holdfast/dist/src/config.js'

// @ts-expect-error: a type is no value
export const plan = new Plan()
export type Misspelled = Sytsem

// A typed metadata value has exactly one member.
export const typed: TypedMetadataValue[] = [{ string: 'a' }, { float: 1 }, { integer: '9223372036854775807' }]
// @ts-expect-error: none
export const none: TypedMetadataValue = {}
// @ts-expect-error: two
export const two: TypedMetadataValue = { string: 'x', float: 1 }
// @ts-expect-error: an unknown one
export const unknown: TypedMetadataValue = { floot: 1 }
// @ts-expect-error: a value of another type
export const other: TypedMetadataValue = { boolean: 'true' }
export const item: MetadataItem = { key: 'floor', value: { integer: 3 } }

// The import document.
const characteristic: Characteristic = {
  code: 'room-temperature',
  name: 'Room temperature',
  characteristicType: 'MEASUREMENT',
  dataType: 'FLOAT',
  boundaryMin: -20,
}
// @ts-expect-error: the name is missing
const nameless: ComponentModel = { code: 'pump', componentType: 'DEVICE' }
// @ts-expect-error: not a member of the closed set
const consumer: ApplicationConsumer = { name: 'App', slug: 'app', secret: '${env:APP}', grantTypes: ['IMPLICIT'] }
export const document: ImportDocument = {
  characteristics: [characteristic],
  componentModels: [nameless],
  applicationConsumers: [consumer],
}
// @ts-expect-error: an unknown record type
export const misspelled: ImportDocument = { characteristic: [characteristic] }

// A plan.
export function summary({ digest, outcome, summary: { create }, changes }: Plan): string {
  const first: Change | undefined = changes[0]
  return `${digest} ${outcome} ${create} ${first?.key}`
}
export const digest: Digest = 'sha256:00'
// @ts-expect-error: another algorithm
export const md5: Digest = 'md5:00'
export const settings: Settings = { protect: [{ type: 'services', key: 'heating' }] }

// Entities are as the API answers with them: times are texts, and no field is left out.
export function describe(system: System, component: Component, event: Event, setpoint: Setpoint): string[] {
  const since: string = system.createdAt
  const unit: string | null = system.organizationUnit
  const value: Json = setpoint.value
  // @ts-expect-error: a time is no Date
  system.updatedAt.getTime()
  // @ts-expect-error: an event may have no component
  event.componentUuid.length
  return [since, String(unit), String(value), component.componentModel, event.at]
}
export const created: NewSystem = { name: 'House 1' }
export const patch: SystemPatch = { status: 'ARCHIVED' }
export const filter: SystemFilter = { status: ['ACTIVATED'] }
// @ts-expect-error: the platform sets it
export const late: SystemPatch = { createdAt: '2026-01-31T12:00:00Z' }

export const id: string = importDocument.$id
// @ts-expect-error: no such schema
import type {} from 'holdfast/schemas/models.schema.json'
