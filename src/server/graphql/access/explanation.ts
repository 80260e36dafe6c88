import { GraphQLBoolean, GraphQLObjectType, GraphQLString } from 'graphql'
import { HoldfastError } from '../../../lib/errors.ts'
import { isObject } from '../../../lib/json.ts'
import { explainAccess, type AccessExplanation } from '../../../platform/access/explain/explain-access.ts'
import type { ExplainedStep } from '../../../platform/access/explain/explained-step.ts'
import { checkText } from '../../checked-arguments.ts'
import { operation, type OperationFields } from '../operation.ts'
import { JSON_VALUE, TEXT, TEXTS } from '../scalars.ts'
import { list, nonNull, optional, required } from '../typed.ts'
import { HELD_ROLE } from './domain.ts'

const STEP = new GraphQLObjectType<ExplainedStep>({
  name: 'ExplainedStep',
  description: 'One check that the platform makes when somebody signs in.',
  fields: {
    about: { type: TEXT, description: 'One of account, method, rule, identity, scopes, grant.' },
    passes: { type: nonNull(GraphQLBoolean), description: 'Whether the check passes, or gives rights.' },
    text: { type: TEXT, description: 'The step, in words.' },
  },
})

const RIGHT_WITHIN = new GraphQLObjectType<AccessExplanation['rightsWithin'][number]>({
  name: 'RightWithin',
  description: 'A right that counts only within some organizations or units.',
  fields: {
    right: { type: TEXT, description: 'The right.' },
    units: { type: nonNull(TEXTS), description: 'The keys of the organizations and units.' },
  },
})

const EXPLANATION = new GraphQLObjectType<AccessExplanation>({
  name: 'AccessExplanation',
  description: 'The rules, grants and scopes that decide what somebody may do.',
  fields: {
    steps: { type: nonNull(list(STEP)), description: 'The checks of the platform, in order.' },
    roles: { type: nonNull(list(HELD_ROLE)), description: 'The roles that grants give.' },
    rights: { type: nonNull(TEXTS), description: 'Rights in the whole domain.' },
    rightsWithin: { type: nonNull(list(RIGHT_WITHIN)), description: 'Rights in parts of the domain.' },
  },
})

export const EXPLANATION_QUERIES: OperationFields = {
  accessExplanation: operation({
    right: 'access:admin',
    type: nonNull(EXPLANATION),
    description:
      'Explains why somebody may do something or not. With claims: how the platform would treat a token of another provider with these claims now. Without: how the account can sign in, and its rights in an application that allows everything.',
    args: {
      user: required(GraphQLString, 'The e-mail address of a user, or the name of a machine user.'),
      claims: optional(
        JSON_VALUE,
        'The payload of a token of another provider. Its signature and times are not checked.',
      ),
    },
    resolve: ({ context }, { user, claims }) => explainAccess(context, checkText(user, 'user'), claimsOf(claims)),
  }),
}

function claimsOf(claims: unknown): { readonly [claim: string]: unknown } | null {
  if (claims === undefined || claims === null) return null
  if (isObject(claims)) return claims
  throw new HoldfastError('BAD_USER_INPUT', 'claims: give an object, such as {"iss": "https://…", "sub": "…"}')
}
