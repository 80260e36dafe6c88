/** Reads series page by page, in the order of their numbers. */
export async function* seriesPages<Item extends { readonly seriesId: number }>(
  fetchAfter: (seriesId: number) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  for (let after = 0; ;) {
    const page = await fetchAfter(after)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = last.seriesId
  }
}
