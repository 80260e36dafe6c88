import { counted, formatCount } from '../../lib/counted.ts'
import { CLIENT_MODEL } from '../../records/types/client-model.ts'
import type { ClientBreak, Plan } from '../plan.ts'
import { recordName } from './change-notes.ts'
import { keyText } from './value-text.ts'

export const BREAKS_TITLE = 'Breaks for apps'

/** `3 members of their types`; null if the types of clients lose nothing. */
export function breaksCount({ breaks }: Pick<Plan, 'breaks'>): string | null {
  return breaks === undefined ? null : counted(breaks.count, 'member of their types', 'members of their types')
}

/**
 * Says which members of the types of clients a plan removes, renames or changes, in at most `most` sentences and one
 * about the others. `show` escapes a text from outside for the output format.
 */
export function breakSentences(
  { breaks }: Pick<Plan, 'breaks'>,
  most: number,
  show: (text: string) => string,
): string[] {
  if (breaks === undefined) return []
  const shown = breaks.members.slice(0, most).map((one) => sentence(one, show))
  const more = breaks.count - shown.length
  return more > 0 ? [...shown, `… and ${formatCount(more)} more`] : shown
}

/** `changes room-control/mode of room-thermostat: no longer 'eco'` */
function sentence({ type, keys, count = keys.length, member, change }: ClientBreak, show: (text: string) => string) {
  const names = keys.map((key) =>
    show(member !== undefined && type === CLIENT_MODEL.model ? keyText(key) : recordName({ type, key })),
  )
  const more = count > keys.length ? ` and ${formatCount(count - keys.length)} more` : ''
  const of = `${names.join(', ')}${more}`
  const what = member === undefined ? of : `${show(keyText(member))} of ${of}`
  return change === 'removed' ? `removes ${what}` : `changes ${what}: ${show(shortened(change))}`
}

const LONGEST = 500

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}…`
}
