import { GraphQLInterfaceType, type GraphQLObjectType } from 'graphql'
import type { Right } from '../../../auth/scopes.ts'
import type { Call } from '../call.ts'
import { UUID } from '../scalars.ts'

/** The objects of one type to which edges lead. */
export interface Kind {
  readonly type: GraphQLObjectType
  /** The right to read the objects, as the fields of Query declare it. */
  readonly right: Right
  readonly keepsWithin: boolean
  /** The ending of the name of an edge to one of them, if the edge has the same name as a field otherwise. */
  readonly ending: 'Record' | 'Entity' | 'Apply'
  /** Finds the objects that the actor may see, by their names. Only records can be found by their keys. */
  find(call: Call, by: 'key' | 'uuid', names: readonly string[]): Promise<ReadonlyMap<string, object>>
}

const kinds = new Map<string, Kind>()

/** Declares the objects of a type. The edges are made when the schema is, after all declarations. */
export function declareKind(kind: Kind): void {
  kinds.set(kind.type.name, kind)
}

export function kindNamed(name: string): Kind {
  const kind = kinds.get(name)
  if (kind === undefined) throw new Error(`no kind of objects is called ${name}`)
  return kind
}

/** Makes a finder of objects by uuid. */
export function byUuid(find: (call: Call, uuids: readonly string[]) => Promise<readonly object[]>): Kind['find'] {
  return async (call, _, uuids) =>
    new Map((await find(call, uuids)).map((found) => [String(Reflect.get(found, 'uuid')), found]))
}

/** Found objects say their type by `__typename`. */
export const NODE = new GraphQLInterfaceType({
  name: 'Node',
  description: 'An object with a uuid: a record of the model, an entity, or an apply.',
  fields: { uuid: { type: UUID, description: 'Identifies the object for ever.' } },
})
