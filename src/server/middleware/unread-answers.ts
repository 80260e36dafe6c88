import type { Context, MiddlewareHandler } from 'hono'
import { HoldfastError } from '../../lib/errors.ts'
import { accountOf, type Actor } from '../../platform/access/grants/actor.ts'
import { SharedSlots } from '../../platform/shared-slots.ts'
import type { AppEnv } from '../app-env.ts'
import { sizeText, type Limits } from '../requests/limits.ts'

/** Smaller answers are not counted, because the operating system takes them at once. */
const SMALL = 65_536

/**
 * Counts the bytes of answers until their clients have read them, because a client decides how slowly it reads. An answer counts
 * by its Content-Length, so every long answer must have one. Files have none, and wait for their readers. The messages of a
 * subscription count one by one.
 */
export function unreadAnswers(limits: Pick<Limits, 'unreadBytes' | 'unreadBytesOfAccount'>): MiddlewareHandler<AppEnv> {
  const slots = new SharedSlots({ most: limits.unreadBytes, mostOfAccount: limits.unreadBytesOfAccount })
  return async (context, next) => {
    let isChange = false
    context.set('beginChange', (actor) => {
      const lacking = slots.lacking(accountOf(actor))
      // If others read too slowly, an account that reads its answers may still change something.
      if (lacking === 'account' || (lacking === 'all' && slots.takenBy(accountOf(actor)) > 0))
        throw unread(lacking, actor, limits)
      isChange = true
    })
    context.set('holdMessages', (actor) => {
      const hold = heldMessages(slots, accountOf(actor), context.env.outgoing)
      return (bytes) => {
        const lacking = hold(bytes)
        return lacking === null ? null : unread(lacking, actor, limits, 'subscribe again after the last cursor')
      }
    })
    await next()
    const actor = (context.get('actor') ?? context.get('visitor')) as Actor | undefined
    const bytes = Number(context.res.headers.get('content-length') ?? 0)
    const { outgoing } = context.env
    if (actor === undefined || bytes <= SMALL || outgoing === undefined || outgoing.destroyed) return
    const account = accountOf(actor)
    const lacking = slots.lacking(account, isChange ? limits.unreadBytesOfAccount : 0)
    if (lacking === null || (isChange && lacking === 'all'))
      return void outgoing.once('close', slots.take(account, bytes))
    // Very many changes at once exceeded the limit twice. They are made, so a refusal would be wrong.
    if (isChange) return void outgoing.destroy()
    // Otherwise Hono would give the headers of this answer to the refusal.
    context.res = undefined
    throw unread(lacking, actor, limits)
  }
}

/** Returns a function that counts the messages of one stream. It tells which limit is reached, and counts no more then. */
function heldMessages(slots: SharedSlots, account: string, outgoing: Context<AppEnv>['env']['outgoing']) {
  const held: (() => void)[] = []
  outgoing?.once('close', () => {
    for (const release of held.splice(0)) release()
  })
  return (bytes: number): ReturnType<SharedSlots['lacking']> => {
    // A stream makes a message while the one before it is being sent, so only these two may be unread.
    for (const release of held.splice(0, held.length - 1)) release()
    const isCounted = bytes > SMALL && outgoing?.destroyed === false
    const lacking = isCounted ? slots.lacking(account) : null
    if (lacking === null) held.push(isCounted ? slots.take(account, bytes) : () => undefined)
    return lacking
  }
}

function unread(
  lacking: 'all' | 'account',
  { name }: Actor,
  limits: Pick<Limits, 'unreadBytes' | 'unreadBytesOfAccount'>,
  advice = 'send this request again; nothing was changed',
): HoldfastError {
  const [limit, whose] =
    lacking === 'all' ? (['unreadBytes', ''] as const) : (['unreadBytesOfAccount', ` of ${name}`] as const)
  return new HoldfastError(
    'UNAVAILABLE',
    `answers${whose} with ${sizeText(limits[limit])} were not read yet, which is the maximum (${limit}); read them, and ${advice}`,
  )
}
