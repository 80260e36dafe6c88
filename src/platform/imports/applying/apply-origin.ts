/** The origin of an apply. */
export interface ApplyOrigin {
  /** The id of an apply and all its retries, made by the client. */
  readonly applyId?: string | null
  readonly commit?: string | null
  /** The commit with which the models are compared, if only their change was applied. */
  readonly base?: string | null
  readonly repository?: string | null
  readonly ref?: string | null
  /** The folder of the models in the repository; `.` for its root. */
  readonly folder?: string | null
  readonly actor?: string | null
  /** The reference in the form of the forge, such as `#12` or `!12`. */
  readonly pullRequest?: string | null
  /** The apply to undo. The document is then empty, because the history has the records to restore. */
  readonly rollbackOf?: string | null
}
