/** `timeWeightedAvg` → `time_weighted_avg`; a word in capitals stays as it is. */
export function toSnake(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The text with its first letter as a capital, as a sentence begins. */
export function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
