import { GraphQLBoolean, GraphQLID, GraphQLObjectType, GraphQLString } from 'graphql'
import { HoldfastError } from '../../../lib/errors.ts'
import { listConsents, revokeConsent, type Consent } from '../../../platform/access/accounts/consents.ts'
import { endAllSessions, endSession, listSessions, type Session } from '../../../platform/access/sessions/sessions.ts'
import { checkText, checkUuid } from '../../checked-arguments.ts'
import type { Call } from '../call.ts'
import { operation, type OperationFields } from '../operation.ts'
import { TEXT, TIME, UUID } from '../scalars.ts'
import { defaulting, list, nonNull, required } from '../typed.ts'

// Sessions of an account, and what applications may do for it. Its owner or an administrator can list and end them. The
// fields of `me` show the caller's own sessions.

const SESSION = new GraphQLObjectType<Session>({
  name: 'Session',
  description: 'A browser in which somebody is signed in.',
  fields: {
    uuid: { type: UUID, description: 'Identifies the session, but does not let anybody use it.' },
    startedAt: { type: TIME, description: 'When the person signed in.' },
    lastUsedAt: {
      type: TIME,
      description:
        'When an application last asked who is signed in. Requests of applications with their tokens do not count.',
    },
    method: { type: GraphQLString, description: 'The name of the authentication method; null if it was deleted.' },
    agent: { type: GraphQLString, description: 'The browser, such as `Firefox on Linux`; null if it is not known.' },
    network: { type: GraphQLString, description: 'The network of the last use, such as `203.0.113.0/24`.' },
    isCurrent: {
      type: nonNull(GraphQLBoolean),
      description: 'Whether the token of this request belongs to the session.',
    },
  },
})

const CONSENT = new GraphQLObjectType<Consent>({
  name: 'Consent',
  description: 'The consent of a person to an application, or its permissions without consent.',
  fields: {
    application: { type: UUID, description: 'The client_id of the application consumer.' },
    name: { type: TEXT, description: 'Its name.' },
    scopes: {
      type: nonNull(list(GraphQLString)),
      description: 'The scopes that were allowed, by name.',
    },
    since: { type: TIME, description: 'When the application got the present permissions.' },
    isOffline: {
      type: nonNull(GraphQLBoolean),
      description:
        'Whether the application has a refresh token, so that it can continue after the person has signed out.',
    },
  },
})

export const SESSIONS = nonNull(list(SESSION))
export const CONSENTS = nonNull(list(CONSENT))

export async function ownSessions({ context, actor: { account }, tokenHash }: Call): Promise<readonly Session[]> {
  return account === null ? [] : listSessions(context, account.uuid, tokenHash)
}

export async function ownConsents({ context, actor: { account } }: Call): Promise<readonly Consent[]> {
  return account === null ? [] : listConsents(context, account.uuid)
}

const ACCOUNT = { account: required(GraphQLID, 'The uuid of the user or machine user.') }
const SESSION_UUID = { uuid: required(GraphQLID, 'The uuid of the session.') }
const APPLICATION = { application: required(GraphQLID, 'The client_id of the application consumer.') }

export const SESSION_QUERIES: OperationFields = {
  sessionsOf: operation({
    right: 'access:admin',
    type: SESSIONS,
    description: 'Sessions of an account, the most recently used first.',
    args: ACCOUNT,
    resolve: ({ context, tokenHash }, { account }) => listSessions(context, checkUuid(account, 'account'), tokenHash),
  }),
  consentsOf: operation({
    right: 'access:admin',
    type: CONSENTS,
    description: 'Consents of an account to applications.',
    args: ACCOUNT,
    resolve: ({ context }, { account }) => listConsents(context, checkUuid(account, 'account')),
  }),
}

function ownAccount({ account }: Call['actor']): string {
  if (account !== null) return account.uuid
  throw new HoldfastError('NOT_FOUND', 'nobody is signed in here: the platform itself asks')
}

const OWN: OperationFields = {
  endSession: operation({
    right: 'self:write',
    type: nonNull(SESSION),
    description: 'Ends one of my sessions with its tokens, and returns it.',
    args: SESSION_UUID,
    resolve: ({ context, actor, tokenHash }, { uuid }) =>
      endSession(context, ownAccount(actor), checkUuid(uuid, 'uuid'), tokenHash),
  }),
  endSessions: operation({
    right: 'self:write',
    type: SESSIONS,
    description: 'Ends all my sessions with their tokens, and returns them.',
    args: {
      exceptCurrent: defaulting(
        GraphQLBoolean,
        false,
        'Whether to keep the session to which the token of this request belongs.',
      ),
    },
    resolve: ({ context, actor, tokenHash }, { exceptCurrent }) =>
      endAllSessions(context, ownAccount(actor), tokenHash, { exceptCurrent }),
  }),
  revokeConsent: operation({
    right: 'self:write',
    type: nonNull(CONSENT),
    description: 'Revokes my consent to an application, with all its tokens, and returns it.',
    args: APPLICATION,
    resolve: ({ context, actor }, { application }) =>
      revokeConsent(context, ownAccount(actor), checkText(application, 'application')),
  }),
}

export const SESSION_MUTATIONS: OperationFields = {
  ...OWN,
  endSessionOf: operation({
    right: 'access:admin',
    type: nonNull(SESSION),
    description: 'Ends a session of an account with its tokens, and returns it.',
    args: { ...ACCOUNT, ...SESSION_UUID },
    async resolve({ context, tokenHash, noteAccessChange }, { account, uuid }) {
      const ended = await endSession(context, checkUuid(account, 'account'), checkUuid(uuid, 'uuid'), tokenHash)
      noteAccessChange('session ended', { account, target: uuid })
      return ended
    },
  }),
  endSessionsOf: operation({
    right: 'access:admin',
    type: SESSIONS,
    description: 'Ends all sessions of an account with their tokens, and returns them.',
    args: ACCOUNT,
    async resolve({ context, tokenHash, noteAccessChange }, { account }) {
      const owner = checkUuid(account, 'account')
      const ended = await endAllSessions(context, owner, tokenHash, { exceptCurrent: false })
      noteAccessChange('sessions ended', { account })
      return ended
    },
  }),
  revokeConsentOf: operation({
    right: 'access:admin',
    type: nonNull(CONSENT),
    description: 'Revokes the consent of an account to an application, with all its tokens, and returns it.',
    args: { ...ACCOUNT, ...APPLICATION },
    async resolve({ context, noteAccessChange }, { account, application }) {
      const name = checkText(application, 'application')
      const revoked = await revokeConsent(context, checkUuid(account, 'account'), name)
      noteAccessChange('consent revoked', { account, target: application })
      return revoked
    },
  }),
}
