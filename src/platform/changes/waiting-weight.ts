// Items that wait for a subscriber are weighed in points, because each takes some bytes while it waits.

/** The weight of a text. A packed point takes some 16 bytes. A character takes one or two, and the text some more. */
export function weightOfText(length: number): number {
  return Math.ceil(length / 32)
}

/** The weight of a row of a table beside its texts. */
export const WEIGHT_OF_ROW = 16
