const TIME =
  /^(?<hours>[01]\d|2[0-3]):(?<minutes>[0-5]\d):(?<seconds>[0-5]\d(?:\.\d+)?)(?<offset>z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/i
const SINCE_MIDNIGHT = /^PT(?=\d)(?:(?<hours>\d{1,4})H)?(?:(?<minutes>\d{1,6})M)?(?:(?<seconds>\d{1,8}(?:\.\d+)?)S)?$/

/**
 * The boundary of a TIME in seconds: a time of day with or without an offset, or a duration since midnight. Without
 * an offset it is in UTC. The result is not wrapped at midnight. Null where the text is none of these.
 */
export function secondsOfDay(text: string): number | null {
  const parts = (TIME.exec(text) ?? SINCE_MIDNIGHT.exec(text))?.groups
  if (parts === undefined) return null
  const { hours, minutes, seconds, offset } = parts
  return clock(hours, minutes, seconds) - offsetSeconds(offset)
}

function offsetSeconds(offset: string | undefined): number {
  if (offset === undefined || offset.length === 1) return 0
  return (offset.startsWith('-') ? -1 : 1) * clock(offset.slice(1, 3), offset.slice(4), undefined)
}

function clock(hours: string | undefined, minutes: string | undefined, seconds: string | undefined): number {
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
}
