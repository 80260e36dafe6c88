const HOUR_SECONDS = 3_600

/** A session that nobody uses ends after this time. */
export const SESSION_IDLE_SECONDS = HOUR_SECONDS

/** A session ends this long after the sign-in, even if it is in use. */
export const SESSION_SECONDS_IN_ALL = 8 * HOUR_SECONDS
