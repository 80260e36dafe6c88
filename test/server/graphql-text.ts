import { getNamedType, isLeafType, isObjectType, type GraphQLObjectType } from 'graphql'
import { SCHEMA } from '../../src/server/graphql/schema.ts'

/** A selection of all fields of a type, to their leaves, without edges. */
export function everything(name: string): string {
  const type = SCHEMA.getType(name)
  if (!isObjectType(type)) throw new Error(`${name} is no object type`)
  return selection(type)
}

function selection(type: GraphQLObjectType): string {
  // Edges lead on and on.
  const own = Object.values(type.getFields()).filter(({ extensions }) => extensions['edge'] === undefined)
  const fields = own.map(({ name, type: of }) => {
    const named = getNamedType(of)
    return isLeafType(named) ? name : `${name} ${selection(named as GraphQLObjectType)}`
  })
  return `{ ${fields.join(' ')} }`
}

/** A call of one field with its arguments as variables, whose types are those that the schema declares. */
export function operationOn(
  root: 'query' | 'mutation',
  field: string,
  given: readonly string[],
  selected: string,
): string {
  const type = root === 'query' ? SCHEMA.getQueryType() : SCHEMA.getMutationType()
  const args = (type?.getFields()[field]?.args ?? []).filter(({ name }) => given.includes(name))
  if (args.length !== given.length) throw new Error(`${field} does not have all of ${given.join(', ')}`)
  const variables = args.map(({ name, type: of }) => `$${name}: ${String(of)}`).join(', ')
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ')
  return `${root} ${variables && `(${variables})`} { ${field}${passed && `(${passed})`} ${selected} }`
}
