import { GraphQLID, GraphQLObjectType, GraphQLString } from 'graphql'
import {
  changeDelegatedUser,
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
    uuid: { type: UUID, description: 'Identifies them for ever: sub of their tokens.' },
    login: {
      type: TEXT,
      description: 'As the history shows them; invented where no e-mail is known.',
    },
    email: { type: GraphQLString, description: 'Where the provider has verified it.' },
    name: { type: GraphQLString, description: 'Their name, where the provider told it.' },
    status: { type: nonNull(STATUS), description: 'Counts on every request, for live tokens too.' },
    identities: { type: nonNull(list(IDENTITY)), description: 'The providers and identities of the person.' },
    createdAt: { type: TIME, description: 'When they were first seen.' },
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
    args: { first: FIRST, after: optional(GraphQLString, 'The login after which to go on.') },
    async resolve({ context }, args) {
      const { first, after } = args
      checkPageSize(first)
      const page = { first: first + 1, after: after == null ? null : checkText(after, 'after') }
      const found = await listDelegatedUsers(context, page)
      return plainPage(
        args,
        found.map((item) => ({ item, cursor: item.login })),
      )
    },
  }),
}

export const DELEGATED_USER_MUTATIONS: OperationFields = {
  updateDelegatedUser: operation({
    right: 'access:admin',
    type: nonNull(DELEGATED_USER),
    description:
      'Changes the status of a person of another provider. Every status but ACTIVATED ends all their sessions and tokens for good.',
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
