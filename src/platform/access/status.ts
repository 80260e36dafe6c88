/** Only ACTIVATED records work (semantics, section 10). */
export type Status = 'ACTIVATED' | 'DEACTIVATED' | 'ARCHIVED'
