/** `timeWeightedAvg` → `time_weighted_avg`; a word in capitals stays as it is. */
export function toSnake(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
