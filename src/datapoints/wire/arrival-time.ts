// The time of a datapoint that came without one. No two points of a series may get the same, whichever server processes
// they came to: the last two digits of the microseconds are the lane of the process, which no other one has at that time.

/** Times of one lane are so far apart; microseconds. */
export const ARRIVAL_STEP = 100

/** The first time of a lane that is not before `at`; microseconds since 1970. */
export function arrivalFrom(at: number, lane: number): number {
  return Math.ceil((at - lane) / ARRIVAL_STEP) * ARRIVAL_STEP + lane
}
