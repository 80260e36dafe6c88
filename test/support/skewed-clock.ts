// `node --import` this: the process lives CLOCK_SKEW_MS away from the others, as a machine whose clock is wrong.

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
