import type { Middleware } from 'koa'
import { HoldfastError } from '../../lib/errors.ts'

/**
 * Refuses a request with U+0000 in its address, before anything reads it: the database stores no text that has one, and no
 * parameter may have one (RFC 6749, appendix A).
 */
export const refuseUnstorable: Middleware = (context, next) => {
  const isBad = [...new URLSearchParams(context.querystring)].flat().some((text) => text.includes('\0'))
  if (isBad) throw new HoldfastError('BAD_USER_INPUT', 'a parameter has the character U+0000; leave it out')
  return next()
}
