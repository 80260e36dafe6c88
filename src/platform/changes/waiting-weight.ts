// What waits to be read by a subscriber is weighed in points, of which each takes some bytes while it waits.

/** What a text weighs. */
export function weightOfText(length: number): number {
  return Math.ceil(length / 32)
}

/** What a row of a table weighs beside its texts. */
export const WEIGHT_OF_ROW = 16
