import { GraphQLBoolean, GraphQLID, GraphQLNonNull } from 'graphql'
import { operation, type OperationFields } from './scope.ts'
import { UUID } from './scalars.ts'
import { CONSENT, CONSENTS, SESSION, SESSIONS } from './session-types.ts'

// Where somebody is signed in, and what applications may do for them: listed and ended by themselves, or by an
// administrator. One's own are fields of `me`.

const ACCOUNT = { type: UUID, description: 'The uuid of the user or machine user.' }
const SESSION_UUID = { type: UUID, description: 'The uuid of the session.' }
const APPLICATION = { type: new GraphQLNonNull(GraphQLID), description: 'The client_id of the application consumer.' }

interface OfAccount {
  readonly account: string
}
interface OneSession {
  readonly uuid: string
}
interface OneApplication {
  readonly application: string
}

export const SESSION_QUERIES: OperationFields = {
  sessionsOf: operation<OfAccount>({
    right: 'access:admin',
    type: SESSIONS,
    description: 'Where an account is signed in, the last used first.',
    args: { account: ACCOUNT },
    resolve: (resolvers, { account }) => resolvers.listSessions(account),
  }),
  consentsOf: operation<OfAccount>({
    right: 'access:admin',
    type: CONSENTS,
    description: 'What applications may do for an account.',
    args: { account: ACCOUNT },
    resolve: (resolvers, { account }) => resolvers.listConsents(account),
  }),
}

const OWN: OperationFields = {
  endSession: operation<OneSession>({
    right: 'self:write',
    type: new GraphQLNonNull(SESSION),
    description: 'Ends one of my sessions and every token that came out of it, and gives it as it was.',
    args: { uuid: SESSION_UUID },
    resolve: (resolvers, { uuid }) => resolvers.endSession(null, uuid),
  }),
  endSessions: operation<{ readonly exceptCurrent: boolean }>({
    right: 'self:write',
    type: SESSIONS,
    description: 'Ends all my sessions and every token that came out of them, and gives them as they were.',
    args: {
      exceptCurrent: {
        type: new GraphQLNonNull(GraphQLBoolean),
        defaultValue: false,
        description: 'Leaves the session that the token of this request came out of.',
      },
    },
    resolve: (resolvers, { exceptCurrent }) => resolvers.endSessions(null, exceptCurrent),
  }),
  revokeConsent: operation<OneApplication>({
    right: 'self:write',
    type: new GraphQLNonNull(CONSENT),
    description: 'Takes back what I have allowed to an application, with all its tokens, and gives it as it was.',
    args: { application: APPLICATION },
    resolve: (resolvers, { application }) => resolvers.revokeConsent(null, application),
  }),
}

export const SESSION_MUTATIONS: OperationFields = {
  ...OWN,
  endSessionOf: operation<OfAccount & OneSession>({
    right: 'access:admin',
    type: new GraphQLNonNull(SESSION),
    description: 'Ends a session of an account and every token that came out of it, and gives it as it was.',
    args: { account: ACCOUNT, uuid: SESSION_UUID },
    resolve: (resolvers, { account, uuid }) => resolvers.endSession(account, uuid),
  }),
  endSessionsOf: operation<OfAccount>({
    right: 'access:admin',
    type: SESSIONS,
    description: 'Ends all sessions of an account and every token that came out of them, and gives them as they were.',
    args: { account: ACCOUNT },
    resolve: (resolvers, { account }) => resolvers.endSessions(account, false),
  }),
  revokeConsentOf: operation<OfAccount & OneApplication>({
    right: 'access:admin',
    type: new GraphQLNonNull(CONSENT),
    description: 'Takes back what an application may do for an account, with all its tokens, and gives it as it was.',
    args: { account: ACCOUNT, application: APPLICATION },
    resolve: (resolvers, { account, application }) => resolvers.revokeConsent(account, application),
  }),
}
