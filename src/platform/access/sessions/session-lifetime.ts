const HOUR_SECONDS = 3_600

/** A session that nobody uses ends after this time. */
export const SESSION_IDLE_SECONDS = HOUR_SECONDS

/** A session ends so long after the person signed in, however much it is used. */
export const SESSION_SECONDS_IN_ALL = 8 * HOUR_SECONDS
