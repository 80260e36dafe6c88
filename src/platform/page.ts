export interface PageRequest {
  readonly first: number
  /** The uuid after which to continue. */
  readonly after: string | null
  /** So many items are counted, and one more where there are more; left out where all of them are. */
  readonly mostCounted?: number
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly hasNext: boolean
  /** The number of items on all pages. */
  readonly total: number
}

/** Makes a page of items that were read with one more than the page may have. */
export function pageOf<Item>(found: readonly Item[], first: number, total: number): Page<Item> {
  return { items: found.slice(0, first), hasNext: found.length > first, total }
}
