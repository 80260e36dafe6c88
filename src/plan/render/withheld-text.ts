import { counted, formatCount } from '../../lib/counted.ts'
import type { Plan, Withheld } from '../plan.ts'

/** Says how many changes of people and programs are hidden from the reader; null where everything is shown. */
export function withheldText({ withheld = [] }: Pick<Plan, 'withheld'>): string | null {
  if (withheld.length === 0) return null
  return `Not shown, since this token may not read the data model (model:read): ${withheld.map(rowText).join(', ')}.`
}

function rowText({ type, action, count, stopped }: Withheld): string {
  const guards = stopped === 0 ? '' : ` (${counted(stopped, 'guard')} open)`
  return `${formatCount(count)} of ${type} to ${action}${guards}`
}
