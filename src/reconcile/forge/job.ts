import type { ForgeName } from './forge.ts'

/** Later runs of a repository have higher ids. Starting a run again increases its attempt. */
export interface RunNumber {
  readonly id: number
  readonly attempt: number
}

/** The event that started a job. */
export type JobEvent =
  | {
      readonly kind: 'pull-request'
      readonly number: number
      readonly head: string
      readonly isFork: boolean
      /** The merge base of the branch, or the commit that it was tried to merge into, if the forge reports it. */
      readonly mergeBase?: string
    }
  /** A merge queue tries the future base. The pull request is the last one of the group. */
  | { readonly kind: 'queue'; readonly number: number; readonly head: string; readonly base: string | null }
  /** `before` is the commit of the branch before the push. */
  | { readonly kind: 'other'; readonly name: string; readonly before: string | null }

/** The parts of a job that are used here, on any forge. */
export interface Job {
  readonly forge: ForgeName
  readonly token: string
  /** The repository, by the two parts of its name on GitHub, Gitea and Forgejo; by its id on GitLab. */
  readonly owner: string
  readonly repo: string
  readonly apiUrl: string
  /** The page of the run. */
  readonly runUrl: string
  /** The page of the repository. */
  readonly repositoryUrl: string
  /** The prefixes of the pages of a commit, and of a file at the commit of this job. */
  readonly pages: { readonly commit: string; readonly file: string }
  readonly run: RunNumber
  readonly event: JobEvent
  /** The commit of the models. For a pull request it is its head, not the trial merge of the forge. */
  readonly commit: string
  /** The person who started the run. */
  readonly actor: string | null
  /** The branch of the push. */
  readonly branch: string | null
}
