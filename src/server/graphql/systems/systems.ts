import { GraphQLBoolean, GraphQLID, GraphQLObjectType, GraphQLString } from 'graphql'
import { createSystem, findSystem, listSystems, updateSystem, type System } from '../../../platform/systems/systems.ts'
import { checkNames, checkText, checkUuid, checkUuids } from '../../checked-arguments.ts'
import type { GraphqlContext } from '../call.ts'
import { STATUS } from '../field-types.ts'
import { operation, type OperationFields } from '../operation.ts'
import { PAGE_ARGUMENTS, pageRequest, pageType, pageView } from '../page.ts'
import { TEXT, TEXTS, UUID, UUIDS } from '../scalars.ts'
import { input, nonNull, optional, required, type ValueOf } from '../typed.ts'
import {
  CHANGES,
  MADE,
  metadataOutput,
  NEW_METADATA,
  NEW_PROTOTYPE,
  NEW_STATUS,
  NEW_UUID,
  newUuid,
  SEARCH,
  STATUS_FILTER,
} from './common-fields.ts'

// Systems are administered with the model, and seen with the data. A device sees its own system only.

const SYSTEM = new GraphQLObjectType<System, GraphqlContext>({
  name: 'System',
  description: 'An installation: a number of components in one place that belong together.',
  fields: {
    uuid: { type: UUID, description: 'Identifies the system for ever.' },
    name: { type: TEXT, description: 'Name shown to people.' },
    status: {
      type: nonNull(STATUS),
      description: 'Data is accepted for ACTIVATED systems only. What there is stays readable in every status.',
    },
    isPrototype: {
      type: nonNull(GraphQLBoolean),
      description: 'Whether it is a prototype, with all of its components: see `limitToPrototypes` of event models.',
    },
    organizationUnit: {
      type: GraphQLString,
      description: 'The record key of the organization or organization unit that it belongs to; null: to nobody.',
    },
    metadataKeyValueStore: metadataOutput('SYSTEM'),
    ...MADE,
  },
})

const UNIT = 'The record key of an organization or organization unit, such as `lindenhof/lindenhof-1`.'

const SYSTEM_INPUT = input('SystemInput', 'A new system.', {
  uuid: NEW_UUID,
  name: required(GraphQLString, 'Name shown to people.'),
  status: NEW_STATUS,
  isPrototype: NEW_PROTOTYPE,
  organizationUnit: optional(GraphQLString, `${UNIT} Left out: it belongs to nobody.`),
  metadataKeyValueStore: NEW_METADATA,
})

const SYSTEM_PATCH = input('SystemPatch', 'What to change of a system. A field that is left out stays as it is.', {
  ...CHANGES,
  organizationUnit: optional(GraphQLString, `${UNIT} Null: it belongs to nobody.`),
})

const SYSTEM_FILTER = input('SystemFilter', 'Says which systems are meant; all that is said must hold.', {
  uuids: optional(UUIDS, 'Only these.'),
  status: STATUS_FILTER,
  organizationUnits: optional(TEXTS, 'Only those that belong to one of these organizations or units, or to one below.'),
  search: SEARCH,
})

function systemFilter({ uuids, status, organizationUnits, search }: ValueOf<typeof SYSTEM_FILTER>) {
  return {
    ...(uuids && { uuids: checkUuids(uuids, 'filter.uuids') }),
    ...(status && { status }),
    ...(organizationUnits && { organizationUnits: checkNames(organizationUnits, 'a record key of the filter') }),
    ...(search && { search: checkText(search, 'filter.search') }),
  }
}

const UUID_ARGUMENT = { uuid: required(GraphQLID, 'The uuid of the system.') }

export const SYSTEM_QUERIES: OperationFields = {
  systems: operation({
    right: 'data:read',
    keepsWithin: true,
    type: nonNull(pageType(SYSTEM, 'system')),
    description: 'The systems of the domain by name, page by page.',
    args: { ...PAGE_ARGUMENTS, filter: optional(SYSTEM_FILTER, 'Which ones. Left out: all.') },
    resolve: async ({ context, actor }, args) =>
      pageView(args, await listSystems(context, actor, systemFilter(args.filter ?? {}), pageRequest(args))),
  }),
  system: operation({
    right: 'data:read',
    keepsWithin: true,
    type: SYSTEM,
    description: 'A system; null where there is none.',
    args: UUID_ARGUMENT,
    resolve: ({ context, actor }, { uuid }) => findSystem(context, actor, checkUuid(uuid, 'uuid')),
  }),
}

export const SYSTEM_MUTATIONS: OperationFields = {
  createSystem: operation({
    right: 'model:write',
    keepsWithin: true,
    type: nonNull(SYSTEM),
    description: 'Creates a system. One with the same uuid is a CONFLICT.',
    args: { input: required(SYSTEM_INPUT, 'The new system.') },
    resolve: ({ context, actor }, { input: { metadataKeyValueStore: metadata = null, ...given } }) =>
      createSystem(context, actor, { ...given, ...newUuid(given), metadata }),
  }),
  updateSystem: operation({
    right: 'model:write',
    keepsWithin: true,
    type: nonNull(SYSTEM),
    description: 'Changes a system: the fields that are given, and no others. ARCHIVED, it takes no more data.',
    args: { ...UUID_ARGUMENT, input: required(SYSTEM_PATCH, 'What to change.') },
    resolve: ({ context, actor }, { uuid, input: { metadataKeyValueStore: metadata = null, ...patch } }) =>
      updateSystem(context, actor, checkUuid(uuid, 'uuid'), { ...patch, metadata }),
  }),
}
