/** A tree of wanted paths. With it, a file is read once, and only the branches that contain wanted values. */
export interface Wanted {
  /** The offset in the text of the file, once it is found. */
  offset: number | null
  readonly children: Map<string, Wanted>
}

export function wantedTree(): Wanted {
  return { offset: null, children: new Map() }
}

export function want(root: Wanted, path: readonly string[]): void {
  let node = root
  for (const part of path) {
    const child = node.children.get(part) ?? wantedTree()
    node.children.set(part, child)
    node = child
  }
}

/** The offset of `path` or, if it was not found, of its nearest ancestor. */
export function offsetOf(root: Wanted, path: readonly string[]): number | null {
  let node: Wanted | undefined = root
  let nearest = root.offset
  for (const part of path) {
    node = node?.children.get(part)
    nearest = node?.offset ?? nearest
  }
  return nearest
}
