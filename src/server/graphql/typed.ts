import { GraphQLEnumType, GraphQLInputObjectType, GraphQLList, GraphQLNonNull } from 'graphql'
import type { GraphQLInputType, GraphQLNullableType, GraphQLObjectType, GraphQLScalarType } from 'graphql'

// GraphQL types that carry the TypeScript type of their values, so that the arguments and the result of an operation
// are
// inferred from its declaration (docs/decisions/0072).

declare const VALUE: unique symbol

/** Exists only for the compiler: no object has this member at run time. */
export interface Valued<Value> {
  readonly [VALUE]?: Value
}

/** The TypeScript type of a GraphQL type. graphql-js itself carries it for scalars and object types. */
export type ValueOf<Type> =
  Type extends GraphQLScalarType<infer Value, infer _Shown>
    ? Value
    : Type extends GraphQLObjectType<infer Source>
      ? Source
      : Type extends Valued<infer Value>
        ? Value
        : unknown

type NullableInput = GraphQLNullableType & GraphQLInputType

/** `T!` */
export function nonNull<Type extends GraphQLNullableType>(type: Type): GraphQLNonNull<Type> & Valued<ValueOf<Type>> {
  return new GraphQLNonNull(type)
}

/** `[T!]` */
export function list<Type extends GraphQLNullableType>(
  type: Type,
): GraphQLList<GraphQLNonNull<Type>> & Valued<readonly ValueOf<Type>[]> {
  return new GraphQLList(new GraphQLNonNull(type))
}

/** An argument of an operation, or a field of an input. */
export interface InputField<Value> extends Valued<Value> {
  readonly type: GraphQLInputType
  readonly description: string | null
  readonly defaultValue?: unknown
}

export interface InputFields {
  readonly [name: string]: InputField<unknown>
}

export function required<Type extends NullableInput>(type: Type, description: string): InputField<ValueOf<Type>> {
  return { type: new GraphQLNonNull(type), description }
}

export function optional<Type extends NullableInput>(
  type: Type,
  description: string,
): InputField<ValueOf<Type> | null | undefined> {
  return { type, description }
}

/** Declares an argument that is never null, because it has a default. */
export function defaulting<Type extends NullableInput>(
  type: Type,
  defaultValue: ValueOf<Type>,
  description: string,
): InputField<ValueOf<Type>> {
  return { type: new GraphQLNonNull(type), defaultValue, description }
}

type OptionalName<Fields> = {
  [Name in keyof Fields]: undefined extends ValueOf<Fields[Name]> ? Name : never
}[keyof Fields]

/** The values of arguments or input fields. A field that was left out is absent. */
export type ValuesOf<Fields> = {
  readonly [Name in Exclude<keyof Fields, OptionalName<Fields>>]: ValueOf<Fields[Name]>
} & { readonly [Name in OptionalName<Fields>]?: Exclude<ValueOf<Exclude<Fields[Name], undefined>>, undefined> }

export function input<Fields extends InputFields>(
  name: string,
  description: string,
  fields: Fields,
): GraphQLInputObjectType & Valued<ValuesOf<Fields>> {
  return new GraphQLInputObjectType({ name, description, fields })
}

/** Makes an enum type of a closed set. GraphQL spells its values in upper case with underscores. */
export function enumOf<Value extends string>(
  name: string,
  description: string,
  meanings: { readonly [value in Value]: string | null },
): GraphQLEnumType & Valued<Value> {
  const values = Object.entries<string | null>(meanings).map(([value, meaning]) => [
    upperSnake(value),
    { value, description: meaning },
  ])
  return new GraphQLEnumType({ name, description, values: Object.fromEntries(values) })
}

function upperSnake(value: string): string {
  return value.replaceAll(/(?<=[a-z])(?=[A-Z])|[ -]/g, '_').toUpperCase()
}
