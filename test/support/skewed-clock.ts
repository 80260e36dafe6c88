// For `node --import`: shifts the clock of the process by CLOCK_SKEW_MS, as on a machine with a wrong clock.

const skew = Number(process.env['CLOCK_SKEW_MS'] ?? 0)
const RealDate = Date

class SkewedDate extends RealDate {
  constructor(...given: readonly unknown[]) {
    super(...((given.length === 0 ? [SkewedDate.now()] : given) as [number]))
  }

  static override now(): number {
    return RealDate.now() + skew
  }
}

globalThis.Date = SkewedDate as DateConstructor
