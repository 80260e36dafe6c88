import type { Caller } from '../../auth/require-right.ts'
import type { Right } from '../../auth/scopes.ts'
import { acting, actingForParts, type Actor } from '../../platform/access/grants/actor.ts'
import type { DomainContext } from '../../platform/domain-context.ts'
import { contextOf } from '../request-context.ts'
import type { NoteAccessChange } from '../access-log.ts'
import { PlainLists } from './plain-lists.ts'
import type { Streams } from './subscriptions/subscriptions.ts'

/** With what, and on whose behalf, an operation is carried out. */
export interface Call {
  /** Bound to the organizations within which the actor has the right that the operation needs. */
  readonly context: DomainContext
  readonly actor: Actor
  /** The hash of the token that the request brought. */
  readonly tokenHash: Uint8Array
  readonly noteAccessChange: NoteAccessChange
  /** Null if no stream can be opened, since the socket belongs to another thread. */
  readonly streams: Streams | null
}

/** The context that graphql-js hands to every field. */
export interface GraphqlContext {
  readonly caller: Caller
  /** For fields of what an operation has found, which need no right of their own. */
  readonly parts: Call
  readonly lists: PlainLists
  callFor(right: Right): Call
}

/** Makes the context of a request. `call` is not bound to any right or unit yet. */
export function graphqlContext(call: Call): GraphqlContext {
  const { actor } = call
  return {
    caller: actor,
    parts: boundTo(call, actingForParts(actor)),
    lists: new PlainLists(),
    callFor: (right) => boundTo(call, acting(actor, right)),
  }
}

/** Few callers have roles within organizations: all others use the call as it is. */
function boundTo(call: Call, actor: Actor): Call {
  return actor === call.actor ? call : { ...call, actor, context: contextOf(call.context, actor) }
}
