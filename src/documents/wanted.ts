/** A tree of the places that are asked for, so that a file is walked once and only into what is wanted. */
export interface Wanted {
  /** The offset in the text of the file, once it is found. */
  place: number | null
  readonly children: Map<string, Wanted>
}

export function wantedTree(): Wanted {
  return { place: null, children: new Map() }
}

export function want(root: Wanted, path: readonly string[]): void {
  let node = root
  for (const part of path) {
    const child = node.children.get(part) ?? wantedTree()
    node.children.set(part, child)
    node = child
  }
}

/** The place of `path`, or of its nearest ancestor that was found. */
export function placeOf(root: Wanted, path: readonly string[]): number | null {
  let node: Wanted | undefined = root
  let nearest = root.place
  for (const part of path) {
    node = node?.children.get(part)
    nearest = node?.place ?? nearest
  }
  return nearest
}
