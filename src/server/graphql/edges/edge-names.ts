/** The names of all edges. The schema adds those that are derived. */
export const EDGE_NAMES = new Set(['latest', 'record', 'recordChanges'])
