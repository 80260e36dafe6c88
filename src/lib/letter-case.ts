/** `timeWeightedAvg` → `time_weighted_avg`; a word in capitals stays as it is. */
export function toSnake(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Makes the first letter a capital, as at the beginning of a sentence. */
export function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
