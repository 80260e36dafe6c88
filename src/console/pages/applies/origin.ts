import type { JsonObject } from '../../../lib/json.ts'
import { html, type Html } from '../../../server/login/html.ts'

/** Where an apply came from, as it said itself. */
export interface Origin {
  readonly commit: string | null
  readonly repository: string | null
  readonly ref: string | null
  readonly rollbackOf: string | null
  /** In a few words. */
  readonly label: string
}

export function originOf(origin: JsonObject): Origin {
  const text = (name: string) => (typeof origin[name] === 'string' ? origin[name] : null)
  const [commit, repository, ref, rollbackOf] = ['commit', 'repository', 'ref', 'rollbackOf'].map(text)
  const label = rollbackOf !== null ? 'roll-back' : (ref?.replace(/^refs\/(?:heads\/)?/, '') ?? 'by hand')
  return {
    commit: commit ?? null,
    repository: repository ?? null,
    ref: ref ?? null,
    rollbackOf: rollbackOf ?? null,
    label,
  }
}

/** `OWNER/NAME` at GitHub, as origins name repositories. */
const REPOSITORY = /^[\w.-]+\/[\w.-]+$/

/** The commit, linked where the repository is one at GitHub. */
export function commitLink({ commit, repository }: Pick<Origin, 'commit' | 'repository'>): Html | null {
  if (commit === null) return null
  const short = html`<code>${commit.slice(0, 7)}</code>`
  if (repository === null || !REPOSITORY.test(repository) || !/^[0-9a-f]{7,64}$/.test(commit)) return short
  return html`<a href="https://github.com/${repository}/commit/${commit}">${short}</a>`
}
