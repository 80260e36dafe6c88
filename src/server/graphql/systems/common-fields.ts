import { GraphQLBoolean, GraphQLID, GraphQLString } from 'graphql'
import type { GraphQLFieldConfig, GraphQLFieldConfigMap } from 'graphql'
import type { MetadataInput } from '../../../platform/systems/metadata.ts'
import { fieldsOf, type Field } from '../../../records/shape.ts'
import { checkUuid } from '../../checked-arguments.ts'
import type { GraphqlContext } from '../call.ts'
import { inputField, outputType, STATUS } from '../field-types.ts'
import { TIME } from '../scalars.ts'
import { list, optional, type InputField } from '../typed.ts'

// The fields that systems, components and events have in common.

/** Written and read as that of records is. */
const METADATA = metadataField()

function metadataField(): Field {
  const field = fieldsOf('Service').find(({ name }) => name === 'metadataKeyValueStore')
  if (field === undefined) throw new Error('the schema of the import document has no metadata')
  return field
}

export function metadataOutput<Source extends { readonly metadata: unknown }>(
  entity: string,
): GraphQLFieldConfig<Source, GraphqlContext> {
  return {
    type: outputType(METADATA),
    description: `Its metadata, ruled by the metadata types of the entity ${entity}.`,
    resolve: ({ metadata }) => metadata,
  }
}

function metadataInput(description: string): InputField<readonly MetadataInput[] | null | undefined> {
  return { type: inputField(METADATA, false).type, description }
}

export const NEW_METADATA = metadataInput(
  'Its metadata. A key that is left out takes the default of its metadata type.',
)

export const MADE: GraphQLFieldConfigMap<{ readonly createdAt: Date; readonly updatedAt: Date }, GraphqlContext> = {
  createdAt: { type: TIME, description: 'When it was created.' },
  updatedAt: { type: TIME, description: 'When it was changed last.' },
}

export const NEW_UUID = optional(
  GraphQLID,
  'Left out: a new one. Given, a call that is sent again makes nothing twice.',
)

/** A uuid that the caller has chosen. */
export function newUuid({ uuid }: { readonly uuid?: string | null }): { readonly uuid?: string } {
  return uuid == null ? {} : { uuid: checkUuid(uuid, 'uuid') }
}

export const NEW_STATUS = optional(STATUS, 'Left out: ACTIVATED.')
export const NEW_PROTOTYPE = optional(
  GraphQLBoolean,
  'Whether it is a prototype: see `limitToPrototypes` of event models. Left out: false.',
)

/** What may change of a system and of a component. */
export const CHANGES = {
  name: optional(GraphQLString, 'The new name.'),
  status: optional(STATUS, 'The new status.'),
  isPrototype: optional(GraphQLBoolean, 'Whether it is a prototype from now on.'),
  metadataKeyValueStore: metadataInput('In place of all its metadata.'),
}

export const STATUS_FILTER = optional(list(STATUS), 'Only those with one of these statuses.')
export const SEARCH = optional(GraphQLString, 'Only those that have this text in their name, in any case.')
