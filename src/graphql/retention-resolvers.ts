// What the schema asks of the platform about how long datapoints are kept.

export interface SetRetentionArguments {
  readonly characteristic?: string | null
  readonly keep?: string | null
  readonly acknowledge: boolean
}

export interface ClearRetentionArguments {
  readonly characteristic: string
  readonly acknowledge: boolean
}

export interface RetentionView {
  /** Null: of the domain. */
  readonly characteristic: { readonly uuid: string; readonly key: string } | null
  readonly keep: string | null
  readonly earliest: string | null
  readonly actor: string | null
  readonly changedAt: Date | null
}

export interface RetentionChangeView {
  readonly retention: RetentionView
  readonly datapoints: number
}

export interface RetentionResolvers {
  listRetentions(): Promise<readonly RetentionView[]>
  setRetention(args: SetRetentionArguments): Promise<RetentionChangeView>
  clearRetention(args: ClearRetentionArguments): Promise<RetentionChangeView>
}
