import { GraphQLInputObjectType, GraphQLObjectType } from 'graphql'
import type { GraphQLFieldConfig, GraphQLFieldConfigMap } from 'graphql'
import { findPlainEntities } from '../../platform/systems/find-entities.ts'
import { timestampText } from '../../datapoints/wire/timestamp-text.ts'
import { isObject } from '../../lib/json.ts'
import {
  entityFields,
  givenFields,
  type Entity,
  type EntityFilterOf,
  type EntityName,
  type EntityOf,
  type EntityPatchOf,
  type NewEntityOf,
} from '../../records/entity.ts'
import { namingsOfEntity } from '../../records/edges.ts'
import { definition, fieldsOf, type Field } from '../../records/shape.ts'
import { checkListed, checkNames, checkText, checkUuids } from '../checked-arguments.ts'
import type { Call, GraphqlContext } from './call.ts'
import { byUuid, declareKind, NODE } from './edges/kinds.ts'
import { listEdges } from './edges/to-many.ts'
import { withEdges } from './edges/to-one.ts'
import { inputField, inputFields, outputDescription, outputType } from './field-types.ts'
import { spoken } from './names.ts'
import type { Valued } from './typed.ts'

// GraphQL types of entities, made from their declarations.

type Fields<Source> = GraphQLFieldConfigMap<Source, GraphqlContext>

/** Makes the object type of an entity, with its edges. `more` are fields that do not belong to the entity. */
export function entityType<Name extends EntityName>(entity: Entity<Name>, more: Fields<EntityOf<Name>> = {}) {
  const own = entityFields(entity).map((field) => [field.name, shown<EntityOf<Name>>(field)] as const)
  const fields = { ...Object.fromEntries(own), ...more }
  const isNode = 'uuid' in fields
  return new GraphQLObjectType<EntityOf<Name>, GraphqlContext>({
    name: entity.definition,
    description: definition(entity.definition).description ?? null,
    interfaces: isNode ? [NODE] : [],
    fields: () => ({
      ...withEdges(fields, namingsOfEntity(entity)),
      ...listEdges<EntityOf<Name>>(entity.definition),
    }),
  })
}

interface Node<Name extends EntityName> {
  /** Finds those that the actor may see, by uuid; left out if they are shown as they are stored. */
  find?(call: Call, uuids: readonly string[]): Promise<readonly object[]>
  readonly more?: Fields<EntityOf<Name>>
}

/** Makes the object type of an entity that edges lead to. */
export function nodeType<Name extends EntityName>(entity: Entity<Name>, { find, more }: Node<Name> = {}) {
  const type = entityType(entity, more)
  const findPlain = ({ context, actor }: Call, uuids: readonly string[]) =>
    findPlainEntities(context, actor, entity, uuids)
  // A role within an organization reaches what belongs to systems.
  const keepsWithin = entity.system !== null
  declareKind({ type, right: entity.rights.read, keepsWithin, ending: 'Entity', find: byUuid(find ?? findPlain) })
  return type
}

function shown<Source>(field: Field): GraphQLFieldConfig<Source, GraphqlContext> {
  const config = { type: outputType(field), description: outputDescription(field) }
  return field.node.precision === 'microseconds' ? { ...config, resolve: timeOf(field.name) } : config
}

function timeOf(name: string) {
  return (source: unknown) => {
    const time = isObject(source) ? source[name] : null
    return typeof time === 'number' ? timestampText(time) : null
  }
}

export function newEntityInput<Name extends EntityName>(
  entity: Entity<Name>,
): GraphQLInputObjectType & Valued<NewEntityOf<Name>> {
  const description = `A new ${spoken(entity)}.`
  return new GraphQLInputObjectType({
    name: `${entity.definition}Input`,
    description,
    fields: inputsOf(entity, 'create'),
  })
}

export function entityPatch<Name extends EntityName>(
  entity: Entity<Name>,
): GraphQLInputObjectType & Valued<EntityPatchOf<Name>> {
  const description = `Changes to a ${spoken(entity)}. Fields that you leave out stay as they are.`
  return new GraphQLInputObjectType({
    name: `${entity.definition}Patch`,
    description,
    fields: inputsOf(entity, 'patch'),
  })
}

function inputsOf(entity: Entity, when: 'create' | 'patch') {
  const fields = givenFields(entity, when).map((field) => [field.givenAs, inputField(field, field.required)] as const)
  return Object.fromEntries(fields)
}

/** In GraphQL, null and left out mean the same here. */
type GivenFilterOf<Name extends EntityName> = {
  readonly [field in keyof EntityFilterOf<Name>]?: EntityFilterOf<Name>[field] | null
}

export function entityFilter<Name extends EntityName>(
  entity: Entity<Name>,
): GraphQLInputObjectType & Valued<GivenFilterOf<Name>> {
  const name = filterName(entity)
  return new GraphQLInputObjectType({
    name,
    description: definition(name).description ?? null,
    fields: inputFields(name),
  })
}

function filterName(entity: Entity): string {
  return `${entity.definition}Filter`
}

/** Checks the texts and uuids of a filter. The platform parses its times. */
export function checkedFilter<Name extends EntityName>(
  entity: Entity<Name>,
  given: GivenFilterOf<Name> | null | undefined,
): EntityFilterOf<Name> {
  const values: { readonly [field: string]: unknown } = given ?? {}
  const fields = fieldsOf(filterName(entity)).flatMap((field): [string, unknown][] => {
    const value = values[field.name] ?? null
    return value === null ? [] : [[field.name, checkedValue(field, value)]]
  })
  return Object.fromEntries(fields) as EntityFilterOf<Name>
}

function checkedValue({ name, node: { type, items, format } }: Field, value: unknown): unknown {
  if (type === 'string') return format === undefined ? checkText(value as string, `filter.${name}`) : value
  if (items?.type !== 'string') return Array.isArray(value) ? checkListed(value, `filter.${name}`) : value
  if (items.format === 'uuid') return checkUuids(value as string[], `filter.${name}`)
  return checkNames(value as string[], `filter.${name}`, 'a record key of the filter')
}
