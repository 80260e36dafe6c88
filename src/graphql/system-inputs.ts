import { GraphQLBoolean, GraphQLID, GraphQLInputObjectType, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql'
import type { GraphQLInputFieldConfig, GraphQLInputFieldConfigMap } from 'graphql'
import { enumType, inputField } from './field-types.ts'
import { METADATA_FIELD } from './system-types.ts'
import { TEXT, TEXTS, UUIDS } from './scalars.ts'

const STATUS = enumType('Status')

export const NEW_UUID: GraphQLInputFieldConfig = {
  type: GraphQLID,
  description: 'Left out: a new one. Given, a call that is sent again makes nothing twice.',
}

export function metadataInput(what: string): GraphQLInputFieldConfig {
  return { type: inputField(METADATA_FIELD, false).type, description: what }
}

const DEFAULTS = 'Its metadata. A key that is left out takes the default of its metadata type.'
const REPLACES = 'In place of all its metadata.'
const ACTIVATED: GraphQLInputFieldConfig = { type: STATUS, description: 'Left out: ACTIVATED.' }

const PROTOTYPE: GraphQLInputFieldConfig = {
  type: GraphQLBoolean,
  description: 'Whether it is a prototype: see `limitToPrototypes` of event models. Left out: false.',
}

const UNIT = 'The record key of an organization or organization unit, such as `lindenhof/lindenhof-1`.'

export const SYSTEM_INPUT = new GraphQLInputObjectType({
  name: 'SystemInput',
  description: 'A new system.',
  fields: {
    uuid: NEW_UUID,
    name: { type: TEXT, description: 'Name shown to people.' },
    status: ACTIVATED,
    isPrototype: PROTOTYPE,
    organizationUnit: { type: GraphQLString, description: `${UNIT} Left out: it belongs to nobody.` },
    metadataKeyValueStore: metadataInput(DEFAULTS),
  },
})

/** What may change of a system and of a component. */
const CHANGES: GraphQLInputFieldConfigMap = {
  name: { type: GraphQLString, description: 'The new name.' },
  status: { type: STATUS, description: 'The new status.' },
  isPrototype: { type: GraphQLBoolean, description: 'Whether it is a prototype from now on.' },
  metadataKeyValueStore: metadataInput(REPLACES),
}

export const SYSTEM_PATCH = new GraphQLInputObjectType({
  name: 'SystemPatch',
  description: 'What to change of a system. A field that is left out stays as it is.',
  fields: {
    ...CHANGES,
    organizationUnit: { type: GraphQLString, description: `${UNIT} Null: it belongs to nobody.` },
  },
})

export const COMPONENT_INPUT = new GraphQLInputObjectType({
  name: 'ComponentInput',
  description: 'A new component.',
  fields: {
    uuid: NEW_UUID,
    system: {
      type: new GraphQLNonNull(GraphQLID),
      description: 'The uuid of the system that it is part of, for ever.',
    },
    componentModel: { type: TEXT, description: 'The record key of its component model, for ever.' },
    name: { type: TEXT, description: 'Name shown to people.' },
    status: ACTIVATED,
    isPrototype: PROTOTYPE,
    metadataKeyValueStore: metadataInput(DEFAULTS),
  },
})

export const COMPONENT_PATCH = new GraphQLInputObjectType({
  name: 'ComponentPatch',
  description: 'What to change of a component. A field that is left out stays as it is.',
  fields: CHANGES,
})

const STATUS_FILTER: GraphQLInputFieldConfig = {
  type: new GraphQLList(new GraphQLNonNull(STATUS)),
  description: 'Only those with one of these statuses.',
}
const SEARCH: GraphQLInputFieldConfig = {
  type: GraphQLString,
  description: 'Only those that have this text in their name, in any case.',
}

export const SYSTEM_FILTER = new GraphQLInputObjectType({
  name: 'SystemFilter',
  description: 'Says which systems are meant; all that is said must hold.',
  fields: {
    uuids: { type: UUIDS, description: 'Only these.' },
    status: STATUS_FILTER,
    organizationUnits: {
      type: TEXTS,
      description: 'Only those that belong to one of these organizations or units, or to one below.',
    },
    search: SEARCH,
  },
})

export const COMPONENT_FILTER = new GraphQLInputObjectType({
  name: 'ComponentFilter',
  description: 'Says which components are meant; all that is said must hold.',
  fields: {
    systems: { type: UUIDS, description: 'Only those of these systems.' },
    componentModels: { type: TEXTS, description: 'Only those of these component models.' },
    status: STATUS_FILTER,
    search: SEARCH,
  },
})
