import { GraphQLID, GraphQLObjectType, GraphQLString } from 'graphql'
import {
  changeDelegatedUser,
  countDelegatedUsers,
  listDelegatedUsers,
  type DelegatedUser,
} from '../../../platform/access/delegated/delegated-users.ts'
import { checkText, checkUuid } from '../../checked-arguments.ts'
import { STATUS } from '../field-types.ts'
import { operation, type OperationFields } from '../operation.ts'
import { checkPageSize, FIRST, plainPage, plainPageType } from '../page.ts'
import { TEXT, TIME, UUID } from '../scalars.ts'
import { list, nonNull, optional, required } from '../typed.ts'
import { IDENTITY } from './identities.ts'

const DELEGATED_USER = new GraphQLObjectType<DelegatedUser>({
  name: 'DelegatedUser',
  description: 'A person of another provider, until an import document names their e-mail address.',
  fields: {
    uuid: { type: UUID, description: 'Permanent id of the person: `sub` of the tokens.' },
    login: {
      type: TEXT,
      description: 'The login that the history shows; generated if no e-mail address is known.',
    },
    email: { type: GraphQLString, description: 'The e-mail address, if the provider has verified it.' },
    name: { type: GraphQLString, description: 'The name, if the provider sends it.' },
    status: { type: nonNull(STATUS), description: 'Takes effect on the next request, also for issued tokens.' },
    identities: { type: nonNull(list(IDENTITY)), description: 'The providers and identities of the person.' },
    createdAt: { type: TIME, description: 'When the person was first seen.' },
  },
})

const DELEGATED_USER_CONNECTION = plainPageType(DELEGATED_USER, {
  description: 'A page of the people of other providers.',
  nodes: 'The page, by login.',
  cursor: 'The cursor of a user is the login.',
})

export const DELEGATED_USER_QUERIES: OperationFields = {
  delegatedUsers: operation({
    right: 'access:admin',
    type: nonNull(DELEGATED_USER_CONNECTION),
    description: 'The people of other providers that no import document names, by login.',
    args: { first: FIRST, after: optional(GraphQLString, 'The login after which to continue.') },
    async resolve({ context }, args) {
      const { first, after } = args
      checkPageSize(first)
      const page = { first: first + 1, after: after == null ? null : checkText(after, 'after') }
      const found = await listDelegatedUsers(context, page)
      return plainPage(
        args,
        found.map((item) => ({ item, cursor: item.login })),
        () => countDelegatedUsers(context),
      )
    },
  }),
}

export const DELEGATED_USER_MUTATIONS: OperationFields = {
  updateDelegatedUser: operation({
    right: 'access:admin',
    type: nonNull(DELEGATED_USER),
    description:
      'Changes the status of a person of another provider. Any status other than ACTIVATED permanently ends all sessions and tokens of the person.',
    args: {
      uuid: required(GraphQLID, 'The uuid of the person.'),
      status: required(STATUS, 'The new status.'),
    },
    async resolve({ context, noteAccessChange }, { uuid, status }) {
      const changed = await changeDelegatedUser(context, checkUuid(uuid, 'uuid'), status)
      noteAccessChange('delegated user changed', { target: changed.uuid })
      return changed
    },
  }),
}
