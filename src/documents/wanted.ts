/** A tree of the paths that are asked for. So a file is walked once, and only into what is wanted. */
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

/** The offset of `path`, or of its nearest ancestor that was found. */
export function offsetOf(root: Wanted, path: readonly string[]): number | null {
  let node: Wanted | undefined = root
  let nearest = root.offset
  for (const part of path) {
    node = node?.children.get(part)
    nearest = node?.offset ?? nearest
  }
  return nearest
}
