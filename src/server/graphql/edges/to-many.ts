import type { GraphQLFieldConfigMap } from 'graphql'
import { isObject } from '../../../lib/json.ts'
import { listOwned, type OwnedPage } from '../../../platform/objects/list-owned.ts'
import { listsOf, type ListEdge } from '../../../records/edges.ts'
import type { GraphqlContext } from '../call.ts'
import { spoken } from '../names.ts'
import { NESTED_ARGUMENTS, pageRequest, pageType, type CountedPage, type PageArguments } from '../page.ts'
import { selectedFields } from '../selected-fields.ts'
import { edge, type AskedEdge } from './edge.ts'
import { EDGE_NAMES } from './edge-names.ts'
import { kindNamed, type Kind } from './kinds.ts'

/** Makes the lists of an object: of the objects that name it, and of those that are linked with it. */
export function listEdges<Source>(definition: string): GraphQLFieldConfigMap<Source, GraphqlContext> {
  return Object.fromEntries(listsOf(definition).map((list) => [list.name, listEdge<Source>(list)]))
}

function listEdge<Source>({ name, to, through }: ListEdge) {
  EDGE_NAMES.add(name)
  const kind = kindNamed(to)
  return edge({
    kind,
    type: pageType(kind.type, spoken({ definition: to }), spoken({ definition: name })),
    description: `Its ${spoken({ definition: name })}, page by page. A cursor is a place in the order, for every list of these.`,
    args: NESTED_ARGUMENTS,
    keyOf: (owner: Source) => (isObject(owner) ? String(owner['uuid']) : null),
    load: (asked, owners) => loadLists(asked, kind, through, owners),
  })
}

const OBJECTS: readonly string[] = ['nodes', 'edges']

async function loadLists(
  { call, args, info }: AskedEdge<typeof NESTED_ARGUMENTS>,
  { find }: Kind,
  through: ListEdge['through'],
  owners: readonly string[],
): Promise<ReadonlyMap<string, CountedPage<object>>> {
  const fields = [...selectedFields(info).values()]
  const hasObjects = fields.some((name) => OBJECTS.includes(name))
  const request = { ...pageRequest(args, info), owners, hasItems: hasObjects || fields.includes('pageInfo') }
  const pages = await listOwned(call.context, call.actor, through, request)
  const uuids = new Set([...pages.values()].flatMap((page) => (hasObjects ? page.uuids : [])))
  const found = uuids.size === 0 ? new Map<string, object>() : await find(call, 'uuid', [...uuids])
  return new Map([...pages].map(([owner, page]) => [owner, viewOf(args, page, found)]))
}

/**
 * An object that was deleted after its list was read is left out. The last cursor names the last place, so that the
 * list continues even if the object there is deleted.
 */
function viewOf(
  { after }: PageArguments,
  { uuids, cursors, hasNext, total }: OwnedPage,
  found: ReadonlyMap<string, object>,
): CountedPage<object> {
  const shown = uuids.flatMap((uuid, index) => {
    const [node, cursor] = [found.get(uuid), cursors[index]]
    return node === undefined || cursor === undefined ? [] : [{ node, cursor }]
  })
  return {
    nodes: shown.map(({ node }) => node),
    cursors: [...(shown.length === 0 ? cursors : shown.map(({ cursor }) => cursor)), ...cursors.slice(-1)],
    hasNextPage: hasNext,
    hasPreviousPage: after != null,
    totalCount: total,
  }
}
