import { GraphQLID, GraphQLObjectType } from 'graphql'
import {
  createSystemCredential,
  findSystemCredentials,
  listSystemCredentials,
  revokeSystemCredential,
  type NewSystemCredential,
} from '../../../platform/systems/credentials.ts'
import { checkUuid } from '../../checked-arguments.ts'
import { SYSTEM_CREDENTIAL } from '../../../records/entities.ts'
import type { GraphqlContext } from '../call.ts'
import { nodeType } from '../entities.ts'
import { operation, type OperationFields } from '../operation.ts'
import { TEXT } from '../scalars.ts'
import { list, nonNull, required } from '../typed.ts'

const CREDENTIAL = nodeType(SYSTEM_CREDENTIAL, {
  find: ({ context }, uuids) => findSystemCredentials(context, uuids),
})

const NEW_CREDENTIAL = new GraphQLObjectType<NewSystemCredential, GraphqlContext>({
  name: 'NewSystemCredential',
  description: 'A credential that was just made, with its password.',
  fields: () => ({
    ...CREDENTIAL.toConfig().fields,
    password: { type: TEXT, description: 'The password. Only this answer shows it.' },
  }),
})

const SYSTEM = { system: required(GraphQLID, 'The uuid of the system.') }

export const CREDENTIAL_QUERIES: OperationFields = {
  systemCredentials: operation({
    right: SYSTEM_CREDENTIAL.rights.read,
    type: nonNull(list(CREDENTIAL)),
    description: 'The credentials of a system, in the order in which they were made.',
    args: SYSTEM,
    resolve: ({ context }, { system }) => listSystemCredentials(context, checkUuid(system, 'system')),
  }),
}

export const CREDENTIAL_MUTATIONS: OperationFields = {
  createSystemCredential: operation({
    right: SYSTEM_CREDENTIAL.rights.write,
    type: nonNull(NEW_CREDENTIAL),
    description:
      'Creates a machine user that may only send, read and acknowledge the data of this system, regardless of its scopes.',
    args: SYSTEM,
    async resolve({ context, noteAccessChange }, { system }) {
      const created = await createSystemCredential(context, checkUuid(system, 'system'))
      noteAccessChange('system credential created', { account: created.uuid, target: system })
      return created
    },
  }),
  revokeSystemCredential: operation({
    right: SYSTEM_CREDENTIAL.rights.write,
    type: nonNull(CREDENTIAL),
    description: 'Deletes such a machine user, revokes its tokens at once, and returns it.',
    args: { uuid: required(GraphQLID, 'The uuid of the account.') },
    async resolve({ context, noteAccessChange }, { uuid }) {
      const revoked = await revokeSystemCredential(context, checkUuid(uuid, 'uuid'))
      noteAccessChange('system credential revoked', { account: revoked.uuid, target: revoked.systemUuid })
      return revoked
    },
  }),
}
