import type { Forge } from '../../src/reconcile/forge/forge.ts'
import { timesOf, type Night, type Slower } from './slower.ts'

export const LABEL = 'slower-bench'

const MOST_ROWS = 100

/** Keeps one issue open while benches are slower than they were, and closes it when they are not. */
export async function keepIssue(
  forge: Pick<Forge, 'ownIssues' | 'createIssue' | 'updateIssue'>,
  slower: readonly Slower[],
  nights: readonly Night[],
): Promise<void> {
  const issue = (await forge.ownIssues(LABEL)).findLast(({ isOpen }) => isOpen)
  if (slower.length === 0) {
    if (issue !== undefined) await forge.updateIssue(issue.number, { state: { closed: 'done' } })
    return
  }
  const text = { title: 'Benches take more processor time than they did', body: bodyOf(slower, nights) }
  if (issue === undefined) await forge.createIssue(LABEL, text)
  else await forge.updateIssue(issue.number, { state: 'open', ...text })
}

function bodyOf(slower: readonly Slower[], nights: readonly Night[]): string {
  const rows = slower.slice(0, MOST_ROWS).map((one) => `| ${one.name} | ${timesOf(one).toFixed(2)} |`)
  const [good, last, next] = nights.slice(-3).map(({ commit, at }) => `${commit} (${at.slice(0, 10)})`)
  const more = slower.length > MOST_ROWS ? `\n\nThese are the ${MOST_ROWS} worst of ${slower.length}.` : ''
  return `On the two last nights these figures were at least 15 % above the median of the nights before. Each is processor time, as a multiple of that of JSON.parse in the same night.

The two nights measured ${last} and ${next}; the night before them measured ${good}.

| figure | times as much |
| --- | ---: |
${rows.join('\n')}${more}`
}
