import { GraphQLID, GraphQLObjectType, GraphQLString } from 'graphql'
import {
  createPasswordLink,
  listPasswordLinks,
  revokePasswordLink,
  type OpenPasswordLink,
} from '../../../platform/access/accounts/password-links.ts'
import { authorityOf } from '../../../platform/access/grants/authority.ts'
import { rotateSigningKey } from '../../../platform/access/keys/signing-keys.ts'
import { typeThatSignsIn } from '../../../records/registry.ts'
import { checkText, checkUuid } from '../../checked-arguments.ts'
import type { GraphqlContext } from '../call.ts'
import { withEdges } from '../edges/to-one.ts'
import { operation, type OperationFields } from '../operation.ts'
import { TEXT, TIME, UUID } from '../scalars.ts'
import { list, nonNull, required } from '../typed.ts'

const NEXT_SIGNING_KEY = new GraphQLObjectType<{ readonly kid: string; readonly signsFrom: Date }>({
  name: 'NextSigningKey',
  description: 'The key that will sign ID tokens.',
  fields: {
    kid: { type: UUID, description: 'The key id in tokens and in the published key set.' },
    signsFrom: { type: TIME, description: 'When it begins to sign. Until then every server publishes it.' },
  },
})

const PASSWORD_LINK = new GraphQLObjectType<{ readonly path: string; readonly expiresAt: Date }>({
  name: 'PasswordLink',
  description: 'A link with which one person can set a password once. It is shown only now.',
  fields: {
    path: { type: TEXT, description: "The path to append to the platform's address." },
    expiresAt: { type: TIME, description: 'The time until which the link works.' },
  },
})

const OPEN_PASSWORD_LINK = new GraphQLObjectType<OpenPasswordLink, GraphqlContext>({
  name: 'OpenPasswordLink',
  description: 'A password link that is still valid. This entry does not reveal the link.',
  fields: () =>
    withEdges<OpenPasswordLink>(
      {
        account: { type: UUID, description: 'The uuid of the user.', resolve: ({ account }) => account.uuid },
        email: { type: TEXT, description: 'The e-mail address of the user.', resolve: ({ account }) => account.login },
        createdBy: {
          type: TEXT,
          description: 'The creator. The link is valid only while the creator may create such links.',
        },
        createdAt: { type: TIME, description: 'When it was made.' },
        expiresAt: { type: TIME, description: 'The time until which the link works.' },
      },
      [{ field: 'account', to: typeThatSignsIn('person').definition, by: 'uuid' }],
    ),
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
    description:
      'Makes a new key sign ID tokens as soon as every server publishes it. No sign-in fails because of this.',
    async resolve({ context, noteAccessChange }) {
      const next = await rotateSigningKey(context)
      noteAccessChange('signing key rotated', { target: next.kid })
      return next
    },
  }),
  createPasswordLink: operation({
    right: 'access:admin',
    type: nonNull(PASSWORD_LINK),
    description:
      'Creates a link with which a user sets a password: an invitation or a reset. Earlier links become invalid.',
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
    description: 'Revokes the password link of a user, and returns the uuid of the user.',
    args: { account: required(GraphQLID, 'The uuid of the user.') },
    async resolve({ context, noteAccessChange }, { account }) {
      await revokePasswordLink(context, checkUuid(account, 'account'))
      noteAccessChange('password link revoked', { account })
      return account
    },
  }),
}
