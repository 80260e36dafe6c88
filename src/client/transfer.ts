import { formatCount } from '../lib/counted.ts'

/** Receives the number of bytes that were sent and received for one request. */
export interface Transfer {
  sent(bytes: number, total: number): void
  received(bytes: number): void
}

const MEGABYTE = 1_000_000

/** Smaller transfers finish before anybody could read their progress. */
const WORTH_SAYING = MEGABYTE / 4

/** Describes the progress and the rate of a transfer in words. */
export function tellTransfer(note: (how: string) => void, now: () => number): Transfer {
  let began = now()
  let before = 0
  const rate = (bytes: number) => {
    const seconds = (now() - began) / 1000
    return seconds < 1 ? '' : ` (${megabytes(bytes / seconds)}/s)`
  }
  return {
    sent(bytes, total) {
      // A new request has begun.
      if (before === 0 || bytes < before) began = now()
      before = bytes
      if (total < WORTH_SAYING) return
      note(
        bytes < total
          ? `${megabytes(bytes)} of ${megabytes(total)} sent${rate(bytes)}`
          : `${megabytes(total)} sent, waiting for the platform`,
      )
    },
    received(bytes) {
      if (bytes >= WORTH_SAYING) note(`${megabytes(bytes)} of the answer received`)
    },
  }
}

function megabytes(bytes: number): string {
  const value = bytes / MEGABYTE
  return `${value < 10 ? value.toFixed(1) : formatCount(Math.round(value))} MB`
}
