import { GraphQLObjectType, GraphQLString } from 'graphql'
import { createPasswordLink } from '../../../platform/access/accounts/password-links.ts'
import { rotateSigningKey } from '../../../platform/access/keys/signing-keys.ts'
import { checkText } from '../../checked-arguments.ts'
import { operation, type OperationFields } from '../operation.ts'
import { TEXT, TIME, UUID } from '../scalars.ts'
import { nonNull, required } from '../typed.ts'

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
    async resolve({ context, noteAccessChange }, { email }) {
      const { token, expiresAt } = await createPasswordLink(context, checkText(email, 'email'), context.actorName)
      noteAccessChange('password link created')
      return { path: `/login/password?link=${token}`, expiresAt }
    },
  }),
}
