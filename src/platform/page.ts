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

/** Of what was found when one more was asked for than the page may have. */
export function pageOf<Item>(found: readonly Item[], first: number, total: number): Page<Item> {
  return { items: found.slice(0, first), hasNext: found.length > first, total }
}
