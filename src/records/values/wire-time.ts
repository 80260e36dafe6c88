/** A MessagePack timestamp: seconds since 1970, which may be negative, and 0 to 999,999,999 nanoseconds after them. */
export class WireTime {
  readonly seconds: number
  readonly nanoseconds: number

  constructor(seconds: number, nanoseconds: number) {
    this.seconds = seconds
    this.nanoseconds = nanoseconds
  }
}

/** Recognises the class, because a JSON object may have the same members. */
export function isWireTime(value: unknown): value is WireTime {
  return value instanceof WireTime
}
