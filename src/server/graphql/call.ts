import type { Caller } from '../../auth/require-right.ts'
import type { Right } from '../../auth/scopes.ts'
import { acting, actingForParts, type Actor } from '../../platform/access/grants/actor.ts'
import type { DomainContext } from '../../platform/domain-context.ts'
import { contextOf } from '../request-context.ts'
import type { NoteAccessChange } from '../access-log.ts'
import { PlainLists } from './plain-lists.ts'
import type { Streams } from './subscriptions/subscriptions.ts'

/** The services, actor and token with which an operation is carried out. */
export interface Call {
  /** Restricted to the organizations in which the actor has the right that the operation needs. */
  readonly context: DomainContext
  readonly actor: Actor
  /** The hash of the request's access token. */
  readonly tokenHash: Uint8Array
  readonly noteAccessChange: NoteAccessChange
  /** Null if no stream can be opened, because the socket belongs to another thread. */
  readonly streams: Streams | null
}

/** The context that graphql-js hands to every field. */
export interface GraphqlContext {
  readonly caller: Caller
  /** For fields of an operation's result, which need no right of their own. */
  readonly parts: Call
  readonly lists: PlainLists
  callFor(right: Right): Call
}

/** Makes the context of a request. `call` is not restricted to a right or unit yet. */
export function graphqlContext(call: Call): GraphqlContext {
  const { actor } = call
  return {
    caller: actor,
    parts: boundTo(call, actingForParts(actor)),
    lists: new PlainLists(),
    callFor: (right) => boundTo(call, acting(actor, right)),
  }
}

/** Restricts the call to the actor's organizations. Most actors have no role within one, and keep the same call. */
function boundTo(call: Call, actor: Actor): Call {
  return actor === call.actor ? call : { ...call, actor, context: contextOf(call.context, actor) }
}
