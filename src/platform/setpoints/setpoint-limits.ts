export const SETPOINT_LIMITS = {
  /** The most setpoints of one mutation. */
  made: 10_000,
  /** The most setpoints that a device gets at once. The others follow when these are acknowledged. */
  given: 1_000,
  /**
   * The most bytes of the values that a device gets at once, unless a single one has more: as many as a batch may have. The
   * others follow, too.
   */
  givenBytes: 16_777_216,
  /** The most components that a device asks about. */
  components: 1_000,
  /** The most characters of a device's reason. */
  reason: 1_000,
} as const
