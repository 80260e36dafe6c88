import { counted } from '../../lib/counted.ts'
import { plainText } from '../../lib/visible-text.ts'
import { recordId } from '../../records/record-id.ts'
import type { OwnPart, Plan, WaitingRecord } from '../plan.ts'

const MOST_NAMED = 5

type Waiting = Pick<WaitingRecord, 'type' | 'key' | 'pullRequest'>

/** Escapes the name of a record, because it comes from outside. */
type ShowName = (name: string) => string

/**
 * Describes everything outside of a plan for one part: the changes that wait on the target branch, those on which this
 * plan depends, and changes that somebody made on the platform. `showName` escapes a text from outside for the output
 * format.
 */
export function ownSentences({ own }: Pick<Plan, 'own'>, showName: ShowName = plainText): string[] {
  if (own === undefined) return []
  const { waiting, waitsFor, done = 0 } = own
  const beside = besideText(own)
  return [
    ...(done === 0
      ? []
      : [
          `Done already: ${done} of the changes of this plan, which ${done === 1 ? 'was' : 'were'} applied, or reverted a waiting change.`,
        ]),
    ...(waiting.count === 0
      ? []
      : [
          `Also waiting on the target branch: ${counted(waiting.count, 'record')} (${named(waiting.records, waiting.count, showName)}). They are not part of this plan.`,
        ]),
    ...(waitsFor.length === 0
      ? []
      : [`This plan depends on waiting changes, and is applied after them: ${waitingNames(waitsFor, showName)}.`]),
    ...(beside === '' ? [] : [`Not part of this plan: ${beside}. A plan of everything shows them.`]),
  ]
}

/** Names possible differences from the documents, so that nobody takes this plan for a full comparison. */
function besideText({ drifted, notCompared = 0 }: OwnPart): string {
  return [
    drifted === 0 ? '' : `${counted(drifted, 'record')} that somebody changed on the platform`,
    notCompared === 0
      ? ''
      : `${counted(notCompared, 'secret')} that ${notCompared === 1 ? 'was' : 'were'} not compared`,
  ]
    .filter((part) => part !== '')
    .join(', ')
}

/** `#12 (characteristics/pa), services/s and 3 more` */
export function waitingNames(records: readonly Waiting[], showName: ShowName = plainText): string {
  const parts = byPullRequest(records.slice(0, MOST_NAMED), showName).map(([pullRequest, names]) =>
    pullRequest === undefined ? names : `${pullRequest} (${names})`,
  )
  return [...parts, ...more(records.length)].join(', ')
}

/** `#12: characteristics/pa, characteristics/pb; services/s` */
function named(records: readonly Waiting[], count: number, showName: ShowName): string {
  const groups = byPullRequest(records.slice(0, MOST_NAMED), showName)
  const parts = groups.map(([pullRequest, names]) => (pullRequest === undefined ? names : `${pullRequest}: ${names}`))
  const separator = groups.length > 1 ? '; ' : ', '
  return [...parts, ...more(count, Math.min(MOST_NAMED, records.length))].join(separator)
}

function more(count: number, shown = Math.min(MOST_NAMED, count)): string[] {
  return count > shown ? [`${count - shown} more`] : []
}

function byPullRequest(records: readonly Waiting[], showName: ShowName): [string | undefined, string][] {
  const groups = Map.groupBy(records, ({ pullRequest }) => pullRequest)
  return [...groups].map(([pullRequest, group]) => [
    pullRequest === undefined ? undefined : showPullRequest(pullRequest),
    group.map((record) => showName(recordId(record))).join(', '),
  ])
}

/** The text may come from a plan that somebody wrote by hand. A forge makes a link only of a sign and digits. */
function showPullRequest(name: string): string {
  return /^[#!]\d{1,12}$/.test(name) ? name : '?'
}
