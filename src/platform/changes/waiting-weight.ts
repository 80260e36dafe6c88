// What waits to be read by a subscriber is weighed in points, of which each takes some bytes while it waits.

/** What a text weighs. A point is packed into some 16 bytes, and a character takes one or two, and its text some more. */
export function weightOfText(length: number): number {
  return Math.ceil(length / 32)
}

/** What a row of a table weighs beside its texts. */
export const WEIGHT_OF_ROW = 16
