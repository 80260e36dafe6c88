import type {
  GraphQLFieldConfig,
  GraphQLFieldConfigArgumentMap,
  GraphQLFieldConfigMap,
  GraphQLOutputType,
} from 'graphql'
import { requireRight } from '../auth/require-right.ts'
import type { Right } from '../auth/scopes.ts'
import type { GraphqlContext, Resolvers } from './resolvers.ts'

interface OperationField<Arguments> {
  /** What an access token must allow. */
  readonly right: Right
  /**
   * A role within an organization is enough, since the operation touches nothing outside of it. Left out: the role must
   * count in the whole domain.
   */
  readonly keepsWithin?: boolean
  readonly type: GraphQLOutputType
  readonly description: string
  readonly args?: GraphQLFieldConfigArgumentMap
  resolve(resolvers: Resolvers, args: Arguments): unknown
}

export type OperationFields = GraphQLFieldConfigMap<unknown, GraphqlContext>

/**
 * A field of Query or Mutation. It cannot be declared without the right that it needs, and nothing of it runs for a token
 * that does not have it. `Arguments` must say what `args` declares.
 */
export function operation<Arguments>(field: OperationField<Arguments>): GraphQLFieldConfig<unknown, GraphqlContext> {
  const { right, keepsWithin = false, type, description, args = {}, resolve } = field
  return {
    type,
    description,
    args,
    extensions: { right, keepsWithin },
    resolve(_, given, { caller, resolversFor }, { fieldName }) {
      requireRight(fieldName, right, caller, keepsWithin)
      return resolve(resolversFor(right), given as Arguments)
    },
  }
}
