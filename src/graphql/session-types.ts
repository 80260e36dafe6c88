import { GraphQLBoolean, GraphQLID, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql'
import type { ConsentView, SessionView } from './session-resolvers.ts'
import { DATE_TIME } from './scalars.ts'

export const SESSION = new GraphQLObjectType<SessionView>({
  name: 'Session',
  description: 'A browser in which somebody is signed in.',
  fields: {
    uuid: { type: new GraphQLNonNull(GraphQLID), description: 'Identifies the session; nobody can use it by this.' },
    startedAt: { type: new GraphQLNonNull(DATE_TIME), description: 'When the person signed in.' },
    lastUsedAt: {
      type: new GraphQLNonNull(DATE_TIME),
      description:
        'When an application last asked who is signed in. What applications do with their tokens is not seen.',
    },
    method: { type: GraphQLString, description: 'The name of the authentication method; null where it is gone.' },
    agent: { type: GraphQLString, description: 'The browser, such as `Firefox on Linux`; null where it is not known.' },
    network: { type: GraphQLString, description: 'The network it was last used from, such as `203.0.113.0/24`.' },
    isCurrent: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'Whether the token of this request came out of it.',
    },
  },
})

export const CONSENT = new GraphQLObjectType<ConsentView>({
  name: 'Consent',
  description: 'What somebody has allowed to an application, or what it has because it need not ask.',
  fields: {
    application: { type: new GraphQLNonNull(GraphQLID), description: 'The client_id of the application consumer.' },
    name: { type: new GraphQLNonNull(GraphQLString), description: 'Its name.' },
    scopes: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLString))),
      description: 'The scopes that were allowed, by name.',
    },
    since: { type: new GraphQLNonNull(DATE_TIME), description: 'Since when, of what it holds now.' },
    isOffline: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'Whether it can go on after the person has signed out: it holds a refresh token.',
    },
  },
})

export const SESSIONS = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(SESSION)))
export const CONSENTS = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(CONSENT)))
