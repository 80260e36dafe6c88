/** Reads CSV by RFC 4180, section 2. */
export function readCsv(csv: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, cell = '', end] of csv.matchAll(/("(?:[^"]|"")*"|[^,"\r\n]*)(,|\r\n)/g)) {
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end !== ',') rows.push([])
  }
  return rows.slice(0, -1)
}
