/** The replacement of a part of a text. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
  /** The depth of the changed list or mapping. Of two insertions at one offset, the deeper one comes first. */
  readonly depth: number
}

/** A place that cannot be changed safely, and why. */
export class CannotEdit extends Error {
  override readonly name = 'CannotEdit'
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** Insertions come before the removal of what follows them. */
export function inOrder(edits: readonly TextEdit[]): TextEdit[] {
  const isCut = ({ start, end }: TextEdit) => Number(end > start)
  return edits.toSorted((one, other) => one.start - other.start || isCut(one) - isCut(other) || other.depth - one.depth)
}

export function applied(text: string, edits: readonly TextEdit[]): string {
  let made = ''
  let at = 0
  for (const edit of inOrder(edits)) {
    made += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return made + text.slice(at)
}
