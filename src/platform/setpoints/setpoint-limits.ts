export const SETPOINT_LIMITS = {
  /** Made by one mutation. */
  made: 10_000,
  /** Given to a device at once; the rest comes when these are acknowledged. */
  given: 1_000,
  /** Components that a device asks about. */
  components: 1_000,
  /** Characters of what a device says about a setpoint. */
  reason: 1_000,
} as const
