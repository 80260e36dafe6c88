import { formatCount } from '../lib/counted.ts'

/** Is told of the bytes of one request and of its answer, as they go and come. */
export interface Transfer {
  sent(bytes: number, total: number): void
  received(bytes: number): void
}

const MEGABYTE = 1_000_000

/** Less is gone before anybody could read how far it is. */
const WORTH_SAYING = MEGABYTE / 4

/** Says in words how a transfer goes on, and at which rate. */
export function tellTransfer(note: (how: string) => void, now: () => number): Transfer {
  let began = now()
  let before = 0
  const rate = (bytes: number) => {
    const seconds = (now() - began) / 1000
    return seconds < 1 ? '' : ` (${megabytes(bytes / seconds)}/s)`
  }
  return {
    sent(bytes, total) {
      // Another request begins.
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
