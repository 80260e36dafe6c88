import { GraphQLInputObjectType, GraphQLObjectType } from 'graphql'
import type { GraphQLFieldConfig, GraphQLFieldConfigMap } from 'graphql'
import { timestampText } from '../../datapoints/wire/timestamp-text.ts'
import { isObject } from '../../lib/json.ts'
import {
  entityFields,
  givenFields,
  type Entity,
  type EntityName,
  type EntityPatchOf,
  type NewEntityOf,
} from '../../records/entity.ts'
import { definition, type Field } from '../../records/shape.ts'
import type { GraphqlContext } from './call.ts'
import { descriptionOf, inputField, outputType } from './field-types.ts'
import { spoken } from './names.ts'
import type { Valued } from './typed.ts'

// The GraphQL types of an entity, made from its declaration.

type Fields<Source> = GraphQLFieldConfigMap<Source, GraphqlContext>

/** `more`: fields that are no part of the entity. */
export function entityType<Source extends object>(entity: Entity, more: Fields<Source> = {}) {
  const fields: Fields<Source> = Object.fromEntries(entityFields(entity).map((field) => [field.name, shown(field)]))
  return new GraphQLObjectType<Source, GraphqlContext>({
    name: entity.definition,
    description: definition(entity.definition).description ?? null,
    fields: { ...fields, ...more },
  })
}

function shown<Source>(field: Field): GraphQLFieldConfig<Source, GraphqlContext> {
  const config = { type: outputType(field), description: descriptionOf(field.node) }
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
  const description = `What to change of a ${spoken(entity)}. A field that is left out stays as it is.`
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
