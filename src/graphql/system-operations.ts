import { GraphQLList, GraphQLNonNull } from 'graphql'
import type { GraphQLFieldConfigArgumentMap } from 'graphql'
import { PAGE_ARGUMENTS } from './page-type.ts'
import { operation, type OperationFields } from './scope.ts'
import {
  COMPONENT_FILTER,
  COMPONENT_INPUT,
  COMPONENT_PATCH,
  SYSTEM_FILTER,
  SYSTEM_INPUT,
  SYSTEM_PATCH,
} from './system-inputs.ts'
import type {
  ComponentListArguments,
  ComponentPatchArguments,
  NewComponentArguments,
  NewSystemArguments,
  SystemListArguments,
  SystemPatchArguments,
} from './system-resolvers.ts'
import {
  COMPONENT,
  COMPONENT_CONNECTION,
  CREDENTIAL,
  NEW_CREDENTIAL,
  SYSTEM,
  SYSTEM_CONNECTION,
} from './system-types.ts'
import { UUID } from './scalars.ts'

// Systems and components are administered with the model, and seen with the data. A device sees its own system only.

const uuidOf = (what: string): GraphQLFieldConfigArgumentMap => ({
  uuid: { type: UUID, description: `The uuid of the ${what}.` },
})
const SYSTEM_ARGUMENT: GraphQLFieldConfigArgumentMap = {
  system: { type: UUID, description: 'The uuid of the system.' },
}
const required = (type: typeof SYSTEM | typeof COMPONENT) => new GraphQLNonNull(type)

/** Of one request: more are sent in several. */
export const MOST_COMPONENTS = 1_000

interface Uuid {
  readonly uuid: string
}
interface Input<T> {
  readonly input: T
}

export const SYSTEM_QUERIES: OperationFields = {
  systems: operation<SystemListArguments>({
    right: 'data:read',
    keepsWithin: true,
    type: SYSTEM_CONNECTION,
    description: 'The systems of the domain by name, page by page.',
    args: { ...PAGE_ARGUMENTS, filter: { type: SYSTEM_FILTER, description: 'Which ones. Left out: all.' } },
    resolve: (resolvers, args) => resolvers.listSystems(args),
  }),
  system: operation<Uuid>({
    right: 'data:read',
    keepsWithin: true,
    type: SYSTEM,
    description: 'A system; null where there is none.',
    args: uuidOf('system'),
    resolve: (resolvers, { uuid }) => resolvers.findSystem(uuid),
  }),
  components: operation<ComponentListArguments>({
    right: 'data:read',
    keepsWithin: true,
    type: COMPONENT_CONNECTION,
    description: 'The components of the domain by name, page by page.',
    args: { ...PAGE_ARGUMENTS, filter: { type: COMPONENT_FILTER, description: 'Which ones. Left out: all.' } },
    resolve: (resolvers, args) => resolvers.listComponents(args),
  }),
  component: operation<Uuid>({
    right: 'data:read',
    keepsWithin: true,
    type: COMPONENT,
    description: 'A component; null where there is none.',
    args: uuidOf('component'),
    resolve: (resolvers, { uuid }) => resolvers.findComponent(uuid),
  }),
  systemCredentials: operation<{ readonly system: string }>({
    right: 'access:admin',
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(CREDENTIAL))),
    description: 'The credentials of a system, in the order in which they were made.',
    args: SYSTEM_ARGUMENT,
    resolve: (resolvers, { system }) => resolvers.listSystemCredentials(system),
  }),
}

const COMPONENT_MUTATIONS: OperationFields = {
  createComponent: operation<Input<NewComponentArguments>>({
    right: 'model:write',
    keepsWithin: true,
    type: required(COMPONENT),
    description: 'Creates a component from a component model. One with the same uuid is a CONFLICT.',
    args: { input: { type: new GraphQLNonNull(COMPONENT_INPUT), description: 'The new component.' } },
    resolve: async (resolvers, { input }) => (await resolvers.createComponents([input]))[0],
  }),
  createComponents: operation<Input<readonly NewComponentArguments[]>>({
    right: 'model:write',
    keepsWithin: true,
    type: new GraphQLNonNull(new GraphQLList(required(COMPONENT))),
    description: `Creates up to ${MOST_COMPONENTS} components, all of them or none.`,
    args: {
      input: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(COMPONENT_INPUT))),
        description: 'The new components.',
      },
    },
    resolve: (resolvers, { input }) => resolvers.createComponents(input),
  }),
  updateComponent: operation<Uuid & Input<ComponentPatchArguments>>({
    right: 'model:write',
    keepsWithin: true,
    type: required(COMPONENT),
    description: 'Changes a component: the fields that are given, and no others. ARCHIVED, it takes no more data.',
    args: {
      ...uuidOf('component'),
      input: { type: new GraphQLNonNull(COMPONENT_PATCH), description: 'What to change.' },
    },
    resolve: (resolvers, { uuid, input }) => resolvers.updateComponent(uuid, input),
  }),
}

export const SYSTEM_MUTATIONS: OperationFields = {
  createSystem: operation<Input<NewSystemArguments>>({
    right: 'model:write',
    keepsWithin: true,
    type: required(SYSTEM),
    description: 'Creates a system. One with the same uuid is a CONFLICT.',
    args: { input: { type: new GraphQLNonNull(SYSTEM_INPUT), description: 'The new system.' } },
    resolve: (resolvers, { input }) => resolvers.createSystem(input),
  }),
  updateSystem: operation<Uuid & Input<SystemPatchArguments>>({
    right: 'model:write',
    keepsWithin: true,
    type: required(SYSTEM),
    description: 'Changes a system: the fields that are given, and no others. ARCHIVED, it takes no more data.',
    args: { ...uuidOf('system'), input: { type: new GraphQLNonNull(SYSTEM_PATCH), description: 'What to change.' } },
    resolve: (resolvers, { uuid, input }) => resolvers.updateSystem(uuid, input),
  }),
  ...COMPONENT_MUTATIONS,
  createSystemCredential: operation<{ readonly system: string }>({
    right: 'access:admin',
    type: new GraphQLNonNull(NEW_CREDENTIAL),
    description:
      'Makes a machine user that may send, read and acknowledge the data of this system and do nothing else, whatever its scopes.',
    args: SYSTEM_ARGUMENT,
    resolve: (resolvers, { system }) => resolvers.createSystemCredential(system),
  }),
  revokeSystemCredential: operation<Uuid>({
    right: 'access:admin',
    type: new GraphQLNonNull(CREDENTIAL),
    description: 'Deletes such a machine user and voids its tokens at once. Gives it as it was.',
    args: uuidOf('account'),
    resolve: (resolvers, { uuid }) => resolvers.revokeSystemCredential(uuid),
  }),
}
