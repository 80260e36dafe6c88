import { GraphQLID, GraphQLObjectType } from 'graphql'
import type { GraphQLFieldConfigMap } from 'graphql'
import {
  createSystemCredential,
  listSystemCredentials,
  revokeSystemCredential,
  type NewSystemCredential,
  type SystemCredential,
} from '../../../platform/systems/credentials.ts'
import { checkUuid } from '../../checked-arguments.ts'
import type { GraphqlContext } from '../call.ts'
import { operation, type OperationFields } from '../operation.ts'
import { TEXT, TIME, UUID } from '../scalars.ts'
import { list, nonNull, required } from '../typed.ts'

const CREDENTIAL_FIELDS: GraphQLFieldConfigMap<SystemCredential, GraphqlContext> = {
  uuid: { type: UUID, description: 'Identifies the account.', resolve: ({ accountUuid }) => accountUuid },
  systemUuid: { type: UUID, description: 'The one system whose data it may touch.' },
  username: { type: TEXT, description: 'What the device signs in with.' },
  createdAt: { type: TIME, description: 'When it was created.' },
}

const CREDENTIAL = new GraphQLObjectType<SystemCredential, GraphqlContext>({
  name: 'SystemCredential',
  description: 'The machine user that a device of a system signs in as. No import document names it.',
  fields: CREDENTIAL_FIELDS,
})

const NEW_CREDENTIAL = new GraphQLObjectType<NewSystemCredential, GraphqlContext>({
  name: 'NewSystemCredential',
  description: 'A credential that was just made, with its password.',
  fields: {
    ...CREDENTIAL_FIELDS,
    password: { type: TEXT, description: 'The password. Only in this answer, and never again.' },
  },
})

const SYSTEM = { system: required(GraphQLID, 'The uuid of the system.') }

export const CREDENTIAL_QUERIES: OperationFields = {
  systemCredentials: operation({
    right: 'access:admin',
    type: nonNull(list(CREDENTIAL)),
    description: 'The credentials of a system, in the order in which they were made.',
    args: SYSTEM,
    resolve: ({ context }, { system }) => listSystemCredentials(context, checkUuid(system, 'system')),
  }),
}

export const CREDENTIAL_MUTATIONS: OperationFields = {
  createSystemCredential: operation({
    right: 'access:admin',
    type: nonNull(NEW_CREDENTIAL),
    description:
      'Makes a machine user that may send, read and acknowledge the data of this system and do nothing else, whatever its scopes.',
    args: SYSTEM,
    resolve: ({ context }, { system }) => createSystemCredential(context, checkUuid(system, 'system')),
  }),
  revokeSystemCredential: operation({
    right: 'access:admin',
    type: nonNull(CREDENTIAL),
    description: 'Deletes such a machine user and voids its tokens at once. Gives it as it was.',
    args: { uuid: required(GraphQLID, 'The uuid of the account.') },
    resolve: ({ context }, { uuid }) => revokeSystemCredential(context, checkUuid(uuid, 'uuid')),
  }),
}
