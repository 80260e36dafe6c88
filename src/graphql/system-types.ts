import { GraphQLBoolean, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql'
import type { GraphQLFieldConfig, GraphQLFieldConfigMap } from 'graphql'
import { fieldsOf, type Field } from '../records/shape.ts'
import { enumType, outputType } from './field-types.ts'
import { pageType } from './page-type.ts'
import type { GraphqlContext } from './resolvers.ts'
import { DATE_TIME, TEXT, UUID } from './scalars.ts'
import type { ComponentView, CredentialView, SupportedView, SystemView } from './system-resolvers.ts'

const STATUS = new GraphQLNonNull(enumType('Status'))

/** Written and read as that of records is. */
export const METADATA_FIELD: Field = metadataField()

function metadataField(): Field {
  const field = fieldsOf('Service').find(({ name }) => name === 'metadataKeyValueStore')
  if (field === undefined) throw new Error('the schema of the import document has no metadata')
  return field
}

export function metadataOutput<Source extends { readonly metadata: unknown }>(
  entity: string,
): GraphQLFieldConfig<Source, GraphqlContext> {
  return {
    type: outputType(METADATA_FIELD),
    description: `Its metadata, ruled by the metadata types of the entity ${entity}.`,
    resolve: ({ metadata }) => metadata,
  }
}

const MADE: GraphQLFieldConfigMap<{ readonly createdAt: Date; readonly updatedAt: Date }, GraphqlContext> = {
  createdAt: { type: new GraphQLNonNull(DATE_TIME), description: 'When it was created.' },
  updatedAt: { type: new GraphQLNonNull(DATE_TIME), description: 'When it was changed last.' },
}

export const SYSTEM = new GraphQLObjectType<SystemView, GraphqlContext>({
  name: 'System',
  description: 'An installation: a number of components in one place that belong together.',
  fields: {
    uuid: { type: UUID, description: 'Identifies the system for ever.' },
    name: { type: TEXT, description: 'Name shown to people.' },
    status: {
      type: STATUS,
      description: 'Data is accepted for ACTIVATED systems only. What there is stays readable in every status.',
    },
    isPrototype: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'Whether it is a prototype, with all of its components: see `limitToPrototypes` of event models.',
    },
    organizationUnit: {
      type: GraphQLString,
      description: 'The record key of the organization or organization unit that it belongs to; null: to nobody.',
    },
    metadataKeyValueStore: metadataOutput('SYSTEM'),
    ...MADE,
  },
})

export const SYSTEM_CONNECTION = pageType(SYSTEM, 'system')

const SUPPORTED = new GraphQLObjectType<SupportedView, GraphqlContext>({
  name: 'SupportedCharacteristic',
  description: 'A characteristic of a service that a component can have data of, as its model links them.',
  fields: {
    serviceUuid: { type: UUID, description: 'The service_uuid of its datapoints.' },
    service: { type: TEXT, description: 'The record key of the service.', resolve: ({ serviceKey }) => serviceKey },
    serviceName: { type: TEXT, description: 'The name of the service.' },
    serviceStatus: { type: STATUS, description: 'Datapoints are accepted for ACTIVATED services only.' },
    characteristicUuid: { type: UUID, description: 'The characteristic_uuid of its datapoints.' },
    characteristic: {
      type: TEXT,
      description: 'The record key of the characteristic.',
      resolve: ({ characteristicKey }) => characteristicKey,
    },
    characteristicName: ofCharacteristic('name', TEXT, 'The name of the characteristic.'),
    characteristicStatus: ofCharacteristic(
      'status',
      STATUS,
      'Datapoints are accepted for ACTIVATED characteristics only.',
    ),
    characteristicType: ofCharacteristic(
      'characteristicType',
      new GraphQLNonNull(enumType('CharacteristicType')),
      'Who sets the value.',
    ),
    dataType: ofCharacteristic('dataType', new GraphQLNonNull(enumType('DataType')), 'What values are.'),
    symbol: ofCharacteristic('symbol', GraphQLString, 'The symbol of the unit.'),
  },
})

function ofCharacteristic(
  name: string,
  type: GraphQLFieldConfig<SupportedView, GraphqlContext>['type'],
  description: string,
): GraphQLFieldConfig<SupportedView, GraphqlContext> {
  return { type, description, resolve: ({ characteristicBody }) => characteristicBody[name] ?? null }
}

export const COMPONENT = new GraphQLObjectType<ComponentView, GraphqlContext>({
  name: 'Component',
  description: 'A device, gateway or virtual part of a system, made by a component model.',
  fields: {
    uuid: { type: UUID, description: 'Identifies the component for ever: the component_uuid of its datapoints.' },
    systemUuid: { type: UUID, description: 'The system that it is part of: the system_uuid of its datapoints.' },
    componentModel: {
      type: TEXT,
      description: 'The record key of its component model.',
      resolve: ({ model }) => model,
    },
    name: { type: TEXT, description: 'Name shown to people.' },
    status: {
      type: STATUS,
      description: 'Data is accepted for ACTIVATED components only. What there is stays readable in every status.',
    },
    isPrototype: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description:
        'Whether it is a prototype by itself: see `limitToPrototypes` of event models. Those of a system that is a prototype are all of them.',
    },
    metadataKeyValueStore: metadataOutput('COMPONENT'),
    supports: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(SUPPORTED))),
      description: 'What it can have data of: exactly what its model links. By the place of the service in the model.',
      resolve: ({ uuid }, _, { resolvers }) => resolvers.supportOf(uuid),
    },
    ...MADE,
  },
})

export const COMPONENT_CONNECTION = pageType(COMPONENT, 'component')

const CREDENTIAL_FIELDS: GraphQLFieldConfigMap<CredentialView, GraphqlContext> = {
  uuid: { type: UUID, description: 'Identifies the account.', resolve: ({ accountUuid }) => accountUuid },
  systemUuid: { type: UUID, description: 'The one system whose data it may touch.' },
  username: { type: TEXT, description: 'What the device signs in with.' },
  createdAt: { type: new GraphQLNonNull(DATE_TIME), description: 'When it was created.' },
}

export const CREDENTIAL = new GraphQLObjectType<CredentialView, GraphqlContext>({
  name: 'SystemCredential',
  description: 'The machine user that a device of a system signs in as. No import document names it.',
  fields: CREDENTIAL_FIELDS,
})

export const NEW_CREDENTIAL = new GraphQLObjectType<CredentialView, GraphqlContext>({
  name: 'NewSystemCredential',
  description: 'A credential that was just made, with its password.',
  fields: {
    ...CREDENTIAL_FIELDS,
    password: { type: TEXT, description: 'The password. Only in this answer, and never again.' },
  },
})
