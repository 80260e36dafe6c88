import { capitalized } from '../../lib/letter-case.ts'
import { isExpected, publicError } from '../../server/requests/error-response.ts'
import type { Redirect, View } from '../page.ts'
import { notice } from './block.ts'
import type { Html } from '../../server/html.ts'
import { withCode } from './with-code.ts'

/**
 * Executes a form. If its values are wrong, the form is shown again with all of them, with the problem above it and at
 * the fields concerned. Other errors lead to an error page.
 */
export async function orRefused(
  carryOut: () => Promise<View | Redirect>,
  again: (problem: Html, details: readonly unknown[]) => View | Promise<View>,
): Promise<View | Redirect> {
  try {
    return await carryOut()
  } catch (error) {
    if (!isExpected(error) || error.code === 'FORBIDDEN' || error.code === 'UNAVAILABLE') throw error
    const { message, details } = publicError(error)
    const problem = notice('bad', 'Nothing was changed', withCode(sentence(message)))
    const view = await again(problem, details)
    return { ...view, status: error.code === 'CONFLICT' ? 409 : 422 }
  }
}

/** Makes the message a sentence. Some messages already are one. */
function sentence(message: string): string {
  const begun = capitalized(message)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
