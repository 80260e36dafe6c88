/** The origin of an apply. */
export interface ApplyOrigin {
  /** The id that the client makes once for an apply and all its retries. */
  readonly applyId?: string | null
  readonly commit?: string | null
  /** The commit that the models are a change of, if only the change was applied. */
  readonly base?: string | null
  readonly repository?: string | null
  readonly ref?: string | null
  /** The folder of the models in the repository, `.` for its root. */
  readonly folder?: string | null
  readonly actor?: string | null
  /** As the forge shows it, such as `#12` or `!12`. */
  readonly pullRequest?: string | null
  /** The apply to undo. The document is then empty, because the records to restore are in the history. */
  readonly rollbackOf?: string | null
}
