import {
  getNullableType,
  isNonNullType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
} from 'graphql'
import { requireRight } from '../../auth/require-right.ts'
import type { Right } from '../../auth/scopes.ts'
import { deprecationText, type Deprecation } from '../deprecation.ts'
import type { Call, GraphqlContext } from './call.ts'
import { betweenMessages } from './subscriptions/between-messages.ts'
import { partFor } from './subscriptions/message-size.ts'
import type { Followed } from './subscriptions/open-streams.ts'
import { nonNull, type InputFields, type ValueOf, type ValuesOf, list } from './typed.ts'
import type { ManyItems } from './plain-lists.ts'

interface Declaration<Type, Arguments> {
  /** The right that an access token must have. */
  readonly right: Right
  /** True if a role within an organization is enough. Left out: the role must count in the whole domain. */
  readonly keepsWithin?: boolean
  readonly type: Type
  readonly description: string
  readonly args?: Arguments
  readonly deprecated?: Deprecation
}

/** A resolver may only return null if the declared type is not wrapped in `nonNull`. */
type ResultOf<Type> = Type extends GraphQLObjectType<infer Source> ? Source | null : ValueOf<Type>

interface Operation<Type, Arguments> extends Declaration<Type, Arguments> {
  /**
   * True if clients rely on a non-null type in the schema. An error of the field then erases the other fields of the
   * answer. Left out: the field is null if it fails, and the others keep their results.
   */
  readonly erasesOthers?: boolean
  resolve(call: Call, args: ValuesOf<Arguments>, info: GraphQLResolveInfo): ResultOf<Type> | Promise<ResultOf<Type>>
}

interface Subscription<Type, Arguments> extends Declaration<Type, Arguments> {
  subscribe(call: Call, args: ValuesOf<Arguments>, followed: Followed): Promise<AsyncIterable<ValueOf<Type>>>
}

export type OperationFields = GraphQLFieldConfigMap<unknown, GraphqlContext>

/** Declares a field of Query or Mutation, and the right that it needs. Without that right, none of its code runs. */
export function operation<Type extends GraphQLOutputType, const Arguments extends InputFields>(
  declared: Operation<Type, Arguments>,
): GraphQLFieldConfig<unknown, GraphqlContext> {
  const {
    right,
    keepsWithin = false,
    erasesOthers = false,
    type,
    description,
    args = {},
    deprecated,
    resolve,
  } = declared
  return {
    type: erasesOthers ? type : getNullableType(type),
    description,
    args,
    ...reasonOf(deprecated),
    // Code that reads `neverNull` throws if a field fails.
    extensions: { right, keepsWithin, neverNull: isNonNullType(type) },
    resolve(_, given, { caller, callFor }, info) {
      requireRight(info.fieldName, right, caller, keepsWithin)
      return resolve(callFor(right), given, info)
    },
  }
}

function reasonOf(deprecated: Deprecation | undefined): { readonly deprecationReason?: string } {
  return deprecated === undefined ? {} : { deprecationReason: deprecationText(deprecated) }
}

/** Declares a field of Subscription. The same rules apply. */
export function subscription<Type extends GraphQLObjectType, const Arguments extends InputFields>(
  declared: Subscription<Type, Arguments>,
): GraphQLFieldConfig<unknown, GraphqlContext> {
  const { right, keepsWithin = false, type, description, args = {}, deprecated, subscribe } = declared
  return {
    type: nonNull(type),
    description,
    args,
    ...reasonOf(deprecated),
    extensions: { right, keepsWithin },
    async subscribe(_, given, { caller, callFor }, info) {
      const field = info.fieldName
      requireRight(field, right, caller, keepsWithin)
      const followed = { field, right, keepsWithin, part: partFor(info) }
      return betweenMessages(await subscribe(callFor(right), given, followed))
    },
    resolve: (changes) => changes,
  }
}

/** Declares a field with a list that may be long. Its items have no fields with arguments or resolvers but edges. */
export function plainList<Source, Item extends object>(
  type: GraphQLObjectType<Item>,
  description: string,
  read: (source: Source, context: GraphqlContext) => ManyItems<Item> | null | Promise<ManyItems<Item>>,
): GraphQLFieldConfig<Source, GraphqlContext> {
  return {
    type: list(type),
    description,
    extensions: { isCounted: true },
    async resolve(source, _, context, info) {
      const { lists } = context
      const items = await read(source, context)
      return items === null ? null : lists.add(items, type, info)
    },
  }
}
