import type { GraphQLResolveInfo } from 'graphql'

/**
 * Joins single questions into one for each owner: all those that are asked before the event loop continues. GraphQL
 * asks in this way for a field of each item of a list.
 */
export function inBatches<Owner extends object, Value>(
  findAll: (owner: Owner, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (owner: Owner, key: string) => Promise<Value | undefined> {
  const waiting = new WeakMap<Owner, Batch<Value>>()
  const begin = (owner: Owner): Batch<Value> => {
    const keys = new Set<string>()
    const found = new Promise<void>((resolve) => {
      setImmediate(resolve)
    }).then(() => {
      waiting.delete(owner)
      return findAll(owner, [...keys])
    })
    const batch = { keys, found }
    waiting.set(owner, batch)
    return batch
  }
  return async (owner, key) => {
    const { keys, found } = waiting.get(owner) ?? begin(owner)
    keys.add(key)
    return (await found).get(key)
  }
}

interface Batch<Value> {
  readonly keys: Set<string>
  readonly found: Promise<ReadonlyMap<string, Value>>
}

/**
 * Finds each value once in an execution, even if aliases or equal items of a list ask for it several times. Executions
 * are told apart by `variableValues`, which is a new object in each execution and for each message of a subscription.
 */
export function oncePerExecution<State, Value>(begin: () => State) {
  const known = new WeakMap<object, { readonly state: State; readonly values: Map<string, Promise<Value>> }>()
  return (
    { variableValues }: Pick<GraphQLResolveInfo, 'variableValues'>,
    key: string,
    find: (state: State) => Promise<Value>,
  ): Promise<Value> => {
    const { state, values } = known.get(variableValues) ?? { state: begin(), values: new Map<string, Promise<Value>>() }
    known.set(variableValues, { state, values })
    const value = values.get(key) ?? find(state)
    values.set(key, value)
    return value
  }
}
