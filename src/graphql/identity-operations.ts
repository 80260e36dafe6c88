import { GraphQLBoolean, GraphQLID, GraphQLInt, GraphQLNonNull, GraphQLString } from 'graphql'
import { IDENTITY, IDENTITY_CONNECTION } from './identity-types.ts'
import { MAX_PAGE } from './record-inputs.ts'
import { operation, type OperationFields } from './scope.ts'
import { UUID } from './scalars.ts'

interface IdentitiesArguments {
  readonly account?: string | null
  readonly method?: string | null
  readonly refused?: boolean | null
  readonly first: number
  readonly after?: string | null
}

export const IDENTITY_QUERIES: OperationFields = {
  externalIdentities: operation<IdentitiesArguments>({
    right: 'access:admin',
    type: new GraphQLNonNull(IDENTITY_CONNECTION),
    description:
      'Who came from other providers: of a user, of a method, or all; also those who were refused, and why. Of these the newest 1,000 are kept, for 30 days.',
    args: {
      account: { type: GraphQLID, description: 'Only those of this user, of the model or not.' },
      method: { type: GraphQLID, description: 'Only those who came last by this authentication method.' },
      refused: { type: GraphQLBoolean, description: 'Only those who were refused the last time, or only the others.' },
      first: {
        type: new GraphQLNonNull(GraphQLInt),
        defaultValue: 50,
        description: `How many at most, up to ${MAX_PAGE}.`,
      },
      after: { type: GraphQLString, description: 'The uuid of the identity after which to go on.' },
    },
    resolve: (resolvers, { account = null, method = null, refused = null, first, after = null }) =>
      resolvers.listIdentities({ account, method, isRefused: refused }, first, after),
  }),
}

export const IDENTITY_MUTATIONS: OperationFields = {
  unbindIdentity: operation<{ readonly uuid: string }>({
    right: 'access:admin',
    type: new GraphQLNonNull(IDENTITY),
    description:
      'Forgets an identity, ends every session and token that came in by it, and gives it as it was. Who still has it at the provider can sign in again, as by a first sign-in.',
    args: { uuid: { type: UUID, description: 'The uuid of the identity.' } },
    resolve: (resolvers, { uuid }) => resolvers.unbindIdentity(uuid),
  }),
}
