/** The origin of an apply. */
export interface ApplyOrigin {
  /** The id that the client makes once for an apply and all its retries. */
  readonly applyId?: string | null
  readonly commit?: string | null
  readonly repository?: string | null
  readonly ref?: string | null
  readonly actor?: string | null
  /** The apply to undo. The document is then empty, because the records to restore are in the history. */
  readonly rollbackOf?: string | null
}
