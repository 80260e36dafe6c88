import type { Right } from '../../auth/scopes.ts'
import type { GraphqlContext, Resolvers } from '../../graphql/resolvers.ts'
import { acting, actingForParts, type Actor } from '../../platform/access/grants/actor.ts'

/**
 * What an operation calls, bound to where its caller has the right that it needs. Few callers have roles within
 * organizations: for all others one set of resolvers serves every operation.
 */
export function resolversByRight(
  actor: Actor,
  resolversOf: (acting: Actor) => Resolvers,
): Pick<GraphqlContext, 'resolvers' | 'resolversFor'> {
  const resolvers = resolversOf(actor)
  const parts = actingForParts(actor)
  const bound = new Map<Right, Resolvers>()
  const boundBy = (right: Right): Resolvers => {
    const made = bound.get(right) ?? resolversOf(acting(actor, right))
    bound.set(right, made)
    return made
  }
  return {
    resolvers: parts === actor ? resolvers : resolversOf(parts),
    resolversFor: (right) => (actor.rights.has(right) ? resolvers : boundBy(right)),
  }
}
