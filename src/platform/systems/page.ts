export interface PageRequest {
  readonly first: number
  /** The uuid after which to go on. */
  readonly after: string | null
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly hasNext: boolean
  /** Of all pages. */
  readonly total: number
}
