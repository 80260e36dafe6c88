import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Effect } from '../../plan/render/markdown/comment-effects.ts'

// The effects of a plan are kept in the marker of its comment, so that a later run can show the difference.

/** A larger text would take too much of the comment's visible part. */
const LONGEST = 12_000
const MOST_BYTES = 4_000_000

export function packEffects(effects: readonly Effect[]): string | undefined {
  const rows = effects.map(({ what, how, result }) => [what, how, result])
  const packed = deflateRawSync(JSON.stringify(rows)).toString('base64url')
  return packed.length > LONGEST ? undefined : packed
}

/** Reads packed effects; null for anything that `packEffects` did not write, since people can edit comments. */
export function unpackEffects(packed: string | undefined): readonly Effect[] | null {
  if (packed === undefined) return null
  try {
    const text = inflateRawSync(Buffer.from(packed, 'base64url'), { maxOutputLength: MOST_BYTES }).toString()
    const rows: unknown = JSON.parse(text)
    return Array.isArray(rows) && rows.every(isRow) ? rows.map(([what, how, result]) => ({ what, how, result })) : null
  } catch {
    return null
  }
}

function isRow(row: unknown): row is [string, string, string] {
  return Array.isArray(row) && row.length === 3 && row.every((word) => typeof word === 'string')
}
