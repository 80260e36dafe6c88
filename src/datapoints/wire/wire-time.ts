/** A MessagePack timestamp: whole seconds since 1970, also before, and nanoseconds from 0 to 999,999,999 after them. */
export class WireTime {
  readonly seconds: number
  readonly nanoseconds: number

  constructor(seconds: number, nanoseconds: number) {
    this.seconds = seconds
    this.nanoseconds = nanoseconds
  }
}

/** Told by its class: a JSON object may well have members of these names. */
export function isWireTime(value: unknown): value is WireTime {
  return value instanceof WireTime
}
