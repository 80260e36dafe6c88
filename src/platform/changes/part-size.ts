/** How large a part of a delivery may be, which becomes one message. A single item may be larger. */
export interface PartSize {
  readonly items: number
  /** The characters of all its texts. */
  readonly text: number
}

/** What a text takes in memory while it waits to be read, in points, of which each takes some bytes. */
export function weightOfText(length: number): number {
  return Math.ceil(length / 32)
}
