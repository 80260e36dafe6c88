// A datapoint that is sent without a time gets the time of its arrival. No two points of a series may get the same
// time, whichever server process they arrive at. So the last two digits of the microseconds are the lane of the
// process, which no other process has at the same time.

/** The distance between two times of one lane, in microseconds. */
export const ARRIVAL_STEP = 100

/** The first time of a lane that is not before `at`, in microseconds since 1970. */
export function arrivalFrom(at: number, lane: number): number {
  return Math.ceil((at - lane) / ARRIVAL_STEP) * ARRIVAL_STEP + lane
}
