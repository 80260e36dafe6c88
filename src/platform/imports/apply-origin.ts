/** Where an apply comes from. */
export interface ApplyOrigin {
  /** Made by the client, once for an apply and all its retries. */
  readonly applyId?: string | null
  readonly commit?: string | null
  readonly repository?: string | null
  readonly ref?: string | null
  readonly actor?: string | null
  /** The apply to undo; the document is then empty, since the records to restore are in the history. */
  readonly rollbackOf?: string | null
}
