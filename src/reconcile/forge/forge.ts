// A forge hosts repositories: GitHub, GitLab, Gitea or Forgejo. This interface has everything that jobs need from a
// forge. The texts of comments, and when to write them, are the same for all forges and are in pull-request/.

export type ForgeName = 'GitHub' | 'GitLab' | 'Gitea'

/** A comment on a pull request by the account of this job. */
export interface ForgeComment {
  readonly id: number
  readonly url: string
  readonly body: string
}

/** An issue by the account of this job. */
export interface ForgeIssue {
  readonly number: number
  readonly url: string
  readonly isOpen: boolean
  readonly body: string
}

interface IssueText {
  readonly title: string
  readonly body: string
}

/** `done`: the reason for the issue no longer exists. `surplus`: another issue has the same subject. */
export type WhyClosed = 'done' | 'surplus'

export interface IssueChange extends Partial<IssueText> {
  readonly state: 'open' | { readonly closed: WhyClosed }
}

/** A pull request to open. */
interface PullRequestText extends IssueText {
  readonly branch: string
  readonly into: string
}

/** A pull request: its number at the forge, and its page. */
export type PullRequestPage = Pick<ForgeIssue, 'number' | 'url'>

/** A file that a pull request changes, with its earlier path if it was moved. */
export interface ChangedFile {
  readonly path: string
  readonly earlier?: string
}

/** An entry in the list of checks of a commit. */
interface Check {
  readonly name: string
  readonly commit: string
  readonly conclusion: 'success' | 'failure'
  readonly title: string
  readonly summary: string
  readonly page: string
}

export interface Forge {
  readonly name: ForgeName
  /** Lists the oldest first. */
  ownComments(pullRequest: number): Promise<readonly ForgeComment[]>
  /** Returns the id of the comment. */
  createComment(pullRequest: number, body: string): Promise<number>
  updateComment(pullRequest: number, id: number, body: string): Promise<void>
  deleteComment(pullRequest: number, id: number): Promise<void>
  /** The open pull request of a branch of the repository itself; null if there is none. */
  openPullRequest(branch: string): Promise<PullRequestPage | null>
  createPullRequest(text: PullRequestText): Promise<PullRequestPage>
  /** The last commit of a pull request. */
  headOf(pullRequest: number): Promise<string>
  /** The files that a pull request changes; null if there are more than the forge lists. */
  changedFiles(pullRequest: number): Promise<readonly ChangedFile[] | null>
  /**
   * The pull request that brought a commit to a branch; null if there is none. If several did, the first merged one
   * counts.
   */
  mergedPullRequest(commit: string, branch: string): Promise<number | null>
  /** Whether the forge finds a pull request by the last commit only, if a merge adds several commits. */
  readonly knowsLastCommitOnly?: boolean
  /** The issues with a label, in any state, the oldest first. */
  ownIssues(label: string): Promise<readonly ForgeIssue[]>
  createIssue(label: string, text: IssueText): Promise<Pick<ForgeIssue, 'number' | 'url'>>
  updateIssue(number: number, change: IssueChange): Promise<void>
  /** Left out if the forge shows no checks other than its jobs. */
  addCheck?(check: Check): Promise<void>
}
