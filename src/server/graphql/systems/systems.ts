import { GraphQLID } from 'graphql'
import { createSystem, findSystem, listSystems, updateSystem } from '../../../platform/systems/systems.ts'
import { checkUuid } from '../../checked-arguments.ts'
import { SYSTEM } from '../../../records/entities.ts'
import { latestEdge } from '../datapoints/latest-edge.ts'
import { checkedFilter, entityFilter, entityPatch, newEntityInput, nodeType } from '../entities.ts'
import { operation, type OperationFields } from '../operation.ts'
import { PAGE_ARGUMENTS, pageRequest, pageType, pageView } from '../page.ts'
import { nonNull, optional, required } from '../typed.ts'

// Writing systems needs the rights for the model, and reading them the rights for data. A device sees only its own
// system.

const SYSTEM_TYPE = nodeType(SYSTEM, { more: { latest: latestEdge('systems', 'systemUuid') } })

const UUID_ARGUMENT = { uuid: required(GraphQLID, 'The uuid of the system.') }

export const SYSTEM_QUERIES: OperationFields = {
  systems: operation({
    right: SYSTEM.rights.read,
    keepsWithin: true,
    type: nonNull(pageType(SYSTEM_TYPE, 'system')),
    description: 'The systems of the domain by name, page by page.',
    args: { ...PAGE_ARGUMENTS, filter: optional(entityFilter(SYSTEM), 'Selects some of them. Left out: all.') },
    resolve: async ({ context, actor }, args, info) =>
      pageView(args, await listSystems(context, actor, checkedFilter(SYSTEM, args.filter), pageRequest(args, info))),
  }),
  system: operation({
    right: SYSTEM.rights.read,
    keepsWithin: true,
    type: SYSTEM_TYPE,
    description: 'A system; null if there is none.',
    args: UUID_ARGUMENT,
    resolve: ({ context, actor }, { uuid }) => findSystem(context, actor, checkUuid(uuid, 'uuid')),
  }),
}

export const SYSTEM_MUTATIONS: OperationFields = {
  createSystem: operation({
    right: SYSTEM.rights.write,
    keepsWithin: true,
    type: nonNull(SYSTEM_TYPE),
    description:
      'Creates a system. If you send it again with its uuid, the answer is the stored system. If its content, with the defaults of fields that you leave out, differs from the stored system, the answer is CONFLICT.',
    args: { input: required(newEntityInput(SYSTEM), 'The new system.') },
    resolve: ({ context, actor }, { input: given }) => createSystem(context, actor, given),
  }),
  updateSystem: operation({
    right: SYSTEM.rights.write,
    keepsWithin: true,
    type: nonNull(SYSTEM_TYPE),
    description: 'Changes the given fields of a system. An ARCHIVED system takes no more data.',
    args: { ...UUID_ARGUMENT, input: required(entityPatch(SYSTEM), 'What to change.') },
    resolve: ({ context, actor }, { uuid, input: patch }) =>
      updateSystem(context, actor, checkUuid(uuid, 'uuid'), patch),
  }),
}
