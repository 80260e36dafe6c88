import type { Condition } from '../db/cluster/readiness.ts'
import type { ClusterStatus } from '../db/cluster/status.ts'
import { counted, formatCount } from '../lib/counted.ts'
import { escapeUnseen } from '../lib/visible-text.ts'

/** The conditions of a cluster, one in a line, as "doctor" shows its checks. */
export function conditionsText(conditions: readonly Condition[]): string {
  const lines = conditions.map(({ name, ok, message }) => [ok ? 'ok' : 'problem', name, message])
  return table(lines)
}

export function statusText({ nodes, domains, missing, moves }: ClusterStatus): string {
  return [
    section(
      'Nodes',
      nodes.map((one) => [one.node, one.state, counted(one.domains, 'domain'), sizeText(one.bytes)]),
    ),
    section(
      'Domains',
      domains.map((one) => [one.domain, one.node, sizeText(one.bytes), shared(one.sharedWith)]),
    ),
    section(
      'Not distributed yet',
      missing.map((what) => [what]),
    ),
    section(
      'Moves',
      moves.map((one) => [`${one.from} to ${one.to}`, `${sizeText(one.copied)} of ${sizeText(one.total)}`]),
    ),
  ].join('')
}

function section(title: string, rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? '' : `${title}\n${table(rows.map((row) => ['', ...row]))}`
}

function shared(count: number): string {
  return count === 0 ? '' : `shares its shards with ${counted(count, 'domain')}`
}

/** Writes columns of equal width, with two blanks in between. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const lineOf = (row: readonly string[]): string =>
    row
      .map((cell, column) => escapeUnseen(cell).padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return rows.map((row) => `${lineOf(row)}\n`).join('')
}

/** Returns a size such as `3.2 MB`. */
export function sizeText(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  if (power === 0) return `${bytes} B`
  const value = bytes / 1000 ** power
  return `${value < 10 ? value.toFixed(1) : formatCount(Math.round(value))} ${units[power - 1]}`
}
