/** The names of all edges. The schema adds those that are derived. */
export const EDGE_NAMES = new Set(['latest', 'record', 'recordChanges'])

/** The names of the lists of objects whose length is known only when they are read. The schema adds them. */
export const OPEN_LISTS = new Set<string>()
