export function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}

/** Returns `1 record` or `1,204 records`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** Returns `a, b, c and 9 more`, or all names if there are at most `most`. */
export function nameSome(names: readonly string[], most: number): string {
  if (names.length <= most) return names.join(', ')
  return `${names.slice(0, most).join(', ')} and ${formatCount(names.length - most)} more`
}
