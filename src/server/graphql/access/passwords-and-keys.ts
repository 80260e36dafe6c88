import { GraphQLID, GraphQLObjectType, GraphQLString } from 'graphql'
import {
  createPasswordLink,
  listPasswordLinks,
  revokePasswordLink,
  type OpenPasswordLink,
} from '../../../platform/access/accounts/password-links.ts'
import { authorityOf } from '../../../platform/access/grants/authority.ts'
import { rotateSigningKey } from '../../../platform/access/keys/signing-keys.ts'
import { checkText, checkUuid } from '../../checked-arguments.ts'
import { operation, type OperationFields } from '../operation.ts'
import { TEXT, TIME, UUID } from '../scalars.ts'
import { list, nonNull, required } from '../typed.ts'

const NEXT_SIGNING_KEY = new GraphQLObjectType<{ readonly kid: string; readonly signsFrom: Date }>({
  name: 'NextSigningKey',
  description: 'The key that ID tokens are going to be signed with.',
  fields: {
    kid: { type: UUID, description: 'Names it in tokens and in the published key set.' },
    signsFrom: { type: TIME, description: 'From when on: until then every server publishes it.' },
  },
})

const PASSWORD_LINK = new GraphQLObjectType<{ readonly path: string; readonly expiresAt: Date }>({
  name: 'PasswordLink',
  description: 'A link by which one person sets a password, once. It is shown now and never again.',
  fields: {
    path: { type: TEXT, description: "To be put behind the platform's address." },
    expiresAt: { type: TIME, description: 'Until when it works.' },
  },
})

const OPEN_PASSWORD_LINK = new GraphQLObjectType<OpenPasswordLink>({
  name: 'OpenPasswordLink',
  description: 'A link for a password that can still be used. Nobody can use it by this.',
  fields: {
    account: { type: UUID, description: 'The uuid of the user.', resolve: ({ account }) => account.uuid },
    email: { type: TEXT, description: 'The e-mail address of the user.', resolve: ({ account }) => account.login },
    createdBy: { type: TEXT, description: 'Who made it. It counts while they may make one.' },
    createdAt: { type: TIME, description: 'When it was made.' },
    expiresAt: { type: TIME, description: 'Until when it works.' },
  },
})

export const PASSWORD_QUERIES: OperationFields = {
  passwordLinks: operation({
    right: 'access:admin',
    type: nonNull(list(OPEN_PASSWORD_LINK)),
    description: 'The links for passwords that can still be used, the newest first, at most 1,000.',
    resolve: ({ context }) => listPasswordLinks(context),
  }),
}

export const PASSWORD_AND_KEY_MUTATIONS: OperationFields = {
  rotateSigningKey: operation({
    right: 'access:admin',
    type: nonNull(NEXT_SIGNING_KEY),
    description: 'Has another key sign ID tokens, as soon as every server publishes it. No sign-in fails by it.',
    async resolve({ context, noteAccessChange }) {
      const next = await rotateSigningKey(context)
      noteAccessChange('signing key rotated', { target: next.kid })
      return next
    },
  }),
  createPasswordLink: operation({
    right: 'access:admin',
    type: nonNull(PASSWORD_LINK),
    description: 'Makes a link by which a user sets a password: an invitation or a reset. It voids the ones before.',
    args: { email: required(GraphQLString, 'The e-mail address of the user.') },
    async resolve({ context, actor, noteAccessChange }, { email }) {
      const { token, expiresAt } = await createPasswordLink(
        context,
        checkText(email, 'email'),
        context.actorName,
        authorityOf(actor),
      )
      noteAccessChange('password link created')
      return { path: `/login/password?link=${token}`, expiresAt }
    },
  }),
  revokePasswordLink: operation({
    right: 'access:admin',
    type: nonNull(GraphQLID),
    description: 'Revokes the link for a password of a user, and gives the uuid of the user.',
    args: { account: required(GraphQLID, 'The uuid of the user.') },
    async resolve({ context, noteAccessChange }, { account }) {
      await revokePasswordLink(context, checkUuid(account, 'account'))
      noteAccessChange('password link revoked', { account })
      return account
    },
  }),
}
