import type {
  GraphQLFieldConfig,
  GraphQLFieldConfigArgumentMap,
  GraphQLFieldConfigMap,
  GraphQLOutputType,
} from 'graphql'
import type { GraphqlContext, Resolvers } from './resolvers.ts'

/** What an access token must allow for a field of Query or Mutation. */
export type Scope = 'domain:read' | 'model:read' | 'model:write' | 'model:plan' | 'model:apply'

interface OperationField<Arguments> {
  readonly scope: Scope
  readonly type: GraphQLOutputType
  readonly description: string
  readonly args?: GraphQLFieldConfigArgumentMap
  resolve(resolvers: Resolvers, args: Arguments): unknown
}

export type OperationFields = GraphQLFieldConfigMap<unknown, GraphqlContext>

/** A field of Query or Mutation. It cannot be declared without its scope. `Arguments` must say what `args` declares. */
export function operation<Arguments>(field: OperationField<Arguments>): GraphQLFieldConfig<unknown, GraphqlContext> {
  const { scope, type, description, args = {}, resolve } = field
  return {
    type,
    description,
    args,
    extensions: { scope },
    resolve: (_, given, { resolvers }) => resolve(resolvers, given as Arguments),
  }
}
