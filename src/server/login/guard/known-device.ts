import { createHmac, randomBytes } from 'node:crypto'
import type { AccessContext } from '../../../platform/access/access-context.ts'
import { guessedName } from '../../../platform/access/sessions/guessing.ts'
import { cookieName, isSame } from '../binding.ts'

// A browser that has signed in with an account keeps a mark of it in a cookie. So strangers who try passwords of the
// account elsewhere do not slow its owner down. A mark does not say who is signed in, and gives no access. It contains
// the stamp of the password, so a new password invalidates all marks. The cookie has the form `<id of the
// browser>.<until>-<mark>.<until>-<mark>…`, with the newest mark first.

type DeviceContext = Pick<AccessContext, 'key' | 'domain' | 'now'>

export const DEVICE_SECONDS = 365 * 24 * 3600

/** The maximum number of marks that one browser keeps. */
const MOST_MARKS = 5

export function deviceCookieName(isSecure: boolean): string {
  return cookieName('device', isSecure)
}

/** An account with which a browser signs in. */
export interface Marked {
  readonly login: string
  /** The stamp of the account's password. */
  readonly stamp: string
}

/** Returns the id of a browser that has signed in with this account and password before; null for other browsers. */
export function knownDevice(context: DeviceContext, cookie: string | undefined, marked: Marked): string | null {
  const { device, marks } = read(cookie)
  return device !== null && marks.some((mark) => isMarkOf(context, mark, device, marked)) ? device : null
}

/** Returns the cookie for a browser that has just signed in with an account. */
export function rememberDevice(context: DeviceContext, cookie: string | undefined, marked: Marked): string {
  const known = read(cookie)
  const device = known.device ?? randomBytes(16).toString('base64url')
  const others = known.marks.filter((mark) => !isMarkOf(context, mark, device, marked))
  const until = Math.floor(context.now().getTime() / 1000) + DEVICE_SECONDS
  return [device, markOf(context, until, device, marked), ...others].slice(0, MOST_MARKS + 1).join('.')
}

function read(cookie: string | undefined): { readonly device: string | null; readonly marks: readonly string[] } {
  if (cookie === undefined || !/^[\w-]{22}(\.\d{1,12}-[\w-]{43}){1,5}$/.test(cookie)) return { device: null, marks: [] }
  const [device = null, ...marks] = cookie.split('.')
  return { device, marks }
}

function isMarkOf(context: DeviceContext, mark: string, device: string, marked: Marked): boolean {
  const until = Number(mark.split('-', 1)[0])
  return until * 1000 > context.now().getTime() && isSame(mark, markOf(context, until, device, marked))
}

function markOf({ key, domain }: DeviceContext, until: number, device: string, { login, stamp }: Marked): string {
  const text = [domain.uuid, device, String(until), guessedName(login), stamp].join('\n')
  return `${until}-${createHmac('sha256', key.derive('holdfast known device')).update(text).digest('base64url')}`
}
