interface Sized {
  readonly bytes: number
}

/** Divides things into groups that fit into memory together. Only the last one of a group may exceed the bytes. */
export function* groupsOfBytes<Item extends Sized>(
  all: readonly Item[],
  { most, bytes: mostBytes }: Sized & { readonly most: number },
): Generator<readonly Item[], undefined> {
  for (let start = 0; start < all.length;) {
    let [end, bytes] = [start, 0]
    do bytes += all[end++]?.bytes ?? 0
    while (end < all.length && end < start + most && bytes < mostBytes)
    yield all.slice(start, end)
    start = end
  }
}
