import type { Cell, Values } from './columns.ts'

/** The characters of the texts from `start` to `end`; 0 for values that are no texts, which are all short. */
export function charactersOf(values: Values, start = 0, end = values.length): number {
  if (ArrayBuffer.isView(values)) return 0
  let characters = 0
  for (let index = start; index < end; index++) characters += values[index]?.length ?? 0
  return characters
}

/** The characters of one value, if it is a text. */
export function charactersOfCell(cell: Cell): number {
  return typeof cell === 'string' ? cell.length : 0
}
