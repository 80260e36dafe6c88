/** A tree of the values whose positions are asked for. A file is read once, and only the parts with such values. */
export interface Wanted<Place> {
  place: Place | null
  readonly children: Map<string, Wanted<Place>>
}

export function wantedTree<Place>(): Wanted<Place> {
  return { place: null, children: new Map() }
}

export function want<Place>(root: Wanted<Place>, path: readonly string[]): void {
  let node = root
  for (const part of path) {
    const child = node.children.get(part) ?? wantedTree<Place>()
    node.children.set(part, child)
    node = child
  }
}

/** The position of `path`, or of its nearest ancestor that was found. */
export function placeOf<Place>(root: Wanted<Place>, path: readonly string[]): Place | null {
  let node: Wanted<Place> | undefined = root
  let nearest = root.place
  for (const part of path) {
    node = node?.children.get(part)
    nearest = node?.place ?? nearest
  }
  return nearest
}
