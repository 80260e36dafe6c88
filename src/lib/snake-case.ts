/** `timeWeightedAvg` → `time_weighted_avg` */
export function toSnake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
