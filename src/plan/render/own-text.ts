import { counted } from '../../lib/counted.ts'
import { plainText } from '../../lib/visible-text.ts'
import { recordId } from '../../records/record-id.ts'
import type { Plan } from '../plan.ts'

const MOST_NAMED = 5

/**
 * Says what is beside a plan of a part: what waits on the target branch, and for what of it this plan waits. `showName`
 * makes a text from outside safe for where the sentence is shown.
 */
export function ownSentences({ own }: Pick<Plan, 'own'>, showName: (name: string) => string = plainText): string[] {
  if (own === undefined) return []
  const { waiting, waitsFor } = own
  const names = (records: Parameters<typeof recordId>[0][], count: number) => {
    const named = records.slice(0, MOST_NAMED).map((record) => showName(recordId(record)))
    const more = count - named.length
    return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')
  }
  return [
    ...(waiting.count === 0
      ? []
      : [
          `Also waiting on the target branch: ${counted(waiting.count, 'record')} (${names([...waiting.records], waiting.count)}). They are not part of this plan.`,
        ]),
    ...(waitsFor.length === 0
      ? []
      : [`This plan rests on what waits, and is applied after it: ${names([...waitsFor], waitsFor.length)}.`]),
  ]
}
