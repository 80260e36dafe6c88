import { counted, formatCount, nameSome } from '../../lib/counted.ts'
import type { Plan, WhyNotCompared } from '../plan.ts'
import { recordName } from './change-notes.ts'

const REASONS: { readonly [reason in WhyNotCompared]: string } = {
  'not-resolved': 'the reference is not resolved here; set its variable or file',
  'still-generated':
    'the platform has one that it generated, and the reference is not resolved here; set its variable or file, and an apply replaces it',
  'too-many-guesses': 'too many wrong ones were tried within an hour; wait for an hour',
  'no-platform': 'an export holds none; plan against the platform to compare',
}

interface Naming {
  /** The number of records that are named for one reason. */
  readonly most: number
  /** Escapes a text from outside for the output format. */
  showName(name: string): string
}

/** The records that could not be compared with the documents, with the reasons; null if everything was compared. */
export function notComparedText({ notCompared = [] }: Pick<Plan, 'notCompared'>, naming: Naming): string | null {
  if (notCompared.length === 0) return null
  const parts = [...Map.groupBy(notCompared, ({ reason }) => reason)].map(([reason, records]) => {
    const names = nameSome(
      records.map((record) => naming.showName(recordName(record))),
      naming.most,
    )
    const named = naming.most === 0 ? '' : ` (${names})`
    return `${counted(records.length, 'secret')}${named}: ${REASONS[reason]}`
  })
  return `Not compared: ${parts.join('. ')}.`
}

/** `4 not compared`, or an empty text. */
export function notComparedCount({ notCompared = [] }: Pick<Plan, 'notCompared'>): string {
  return notCompared.length === 0 ? '' : `${formatCount(notCompared.length)} not compared`
}
