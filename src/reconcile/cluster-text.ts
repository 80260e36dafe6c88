import type { Condition } from '../db/cluster/readiness.ts'
import type { ClusterStatus } from '../db/cluster/status.ts'
import { counted, formatCount } from '../lib/counted.ts'
import { escapeUnseen } from '../lib/visible-text.ts'

/** The conditions of a cluster, one in a line, as "doctor" shows its checks. */
export function conditionsText(conditions: readonly Condition[]): string {
  return table(conditions.map(({ name, ok, message }) => [ok ? 'ok' : 'problem', name, message]))
}

export function statusText({ nodes, domains, missing, moves }: ClusterStatus): string {
  const sections: readonly (readonly [title: string, rows: readonly (readonly string[])[]])[] = [
    ['Nodes', nodes.map(({ node, state }) => [node, state])],
    ['Domains', domains.map((one) => [one.domain, one.node, sizeText(one.bytes), sharedText(one.sharedWith)])],
    ['Not distributed yet', missing.map((step) => [step])],
    ['Moves', moves.map((one) => [one.from, one.to, `${sizeText(one.copied)} of ${sizeText(one.bytes)}`])],
  ]
  const filled = sections.filter(([, rows]) => rows.length > 0)
  return filled.map(([title, rows]) => `${title}\n${table(rows.map((row) => ['', ...row]))}`).join('')
}

function sharedText(others: number): string {
  return others === 0 ? '' : `together with ${counted(others, 'other domain')}`
}

/** Writes columns of equal width. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => row.map((cell, column) => escapeUnseen(cell).padEnd(widths[column] ?? 0)).join('  '))
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}

/** Returns a size such as `3.2 MB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(3, Math.floor(Math.log10(Math.max(1000, bytes)) / 3))
  const value = bytes / 1000 ** power
  return `${value < 10 ? value.toFixed(1) : formatCount(Math.round(value))} ${['B', 'kB', 'MB', 'GB'][power]}`
}
