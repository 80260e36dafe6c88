import {
  PLANNED_TYPE_NAMES,
  DOCUMENT_TYPE_NAMES,
  type DocumentTypeName,
  type Named,
  type RecordType,
  type RecordTypeName,
} from './record-type.ts'
import { applicationConsumer } from './types/application-consumer.ts'
import { characteristic } from './types/characteristic.ts'
import { characteristicServiceLink } from './types/characteristic-service-link.ts'
import { componentModel } from './types/component-model.ts'
import { dataSource } from './types/data-source.ts'
import { eventModel } from './types/event-model.ts'
import { grant } from './types/grant.ts'
import { machineUser } from './types/machine-user.ts'
import { metadataType } from './types/metadata-type.ts'
import { organization } from './types/organization.ts'
import { service } from './types/service.ts'
import { serviceComponentModelLink } from './types/service-component-model-link.ts'
import { user } from './types/user.ts'

type Declared = { readonly [name in RecordTypeName]: Named<name> }

const DECLARED: Declared = {
  applicationConsumers: applicationConsumer,
  characteristics: characteristic,
  characteristicServiceLinks: characteristicServiceLink,
  componentModels: componentModel,
  dataSources: dataSource,
  eventModels: eventModel,
  machineUsers: machineUser,
  metadataTypes: metadataType,
  services: service,
  serviceComponentModelLinks: serviceComponentModelLink,
  organizations: organization,
  users: user,
  access: grant,
}

export function recordType<Name extends RecordTypeName>(name: Name): Declared[Name] {
  return DECLARED[name]
}

/** All record types of the import document, in the order of the specification. */
export const RECORD_TYPES: readonly Named<DocumentTypeName>[] = DOCUMENT_TYPE_NAMES.map((name) => recordType(name))

/** All types that a plan can change: the record types and then the grants. */
export const PLANNED_TYPES: readonly RecordType[] = PLANNED_TYPE_NAMES.map((name) => recordType(name))

/** The position of each type in that order. It is the first sort key of every list of records. */
export const TYPE_ORDER: ReadonlyMap<RecordTypeName, number> = new Map(
  PLANNED_TYPE_NAMES.map((name, index) => [name, index]),
)

/** The record types of people and programs. */
export const PERSON_TYPES: readonly RecordTypeName[] = RECORD_TYPES.flatMap(({ name, signsIn }) =>
  signsIn === undefined ? [] : [name],
)

/** The type whose records sign in in this way. */
export function typeThatSignsIn(role: NonNullable<RecordType['signsIn']>): RecordType {
  const type = PLANNED_TYPES.find(({ signsIn }) => signsIn === role)
  if (type === undefined) throw new Error(`no record type signs in as ${role}`)
  return type
}

/** The types with an embedded list of records of this type. */
export function embeddedInto(name: RecordTypeName) {
  return RECORD_TYPES.flatMap((owner) => (owner.embedded ?? []).map((list) => ({ owner, list }))).filter(
    ({ list }) => list.into === name,
  )
}
