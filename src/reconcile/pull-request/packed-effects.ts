import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Effect } from '../../plan/render/markdown/comment-effects.ts'

// The effects of a plan as they are kept in the marker of a comment, so that a later run can say what is different.

/** More than this is a part of the comment that people had better read. */
const LONGEST = 12_000
const MOST_BYTES = 4_000_000

export function packEffects(effects: readonly Effect[]): string | undefined {
  const rows = effects.map(({ what, how, result }) => [what, how, result])
  const packed = deflateRawSync(JSON.stringify(rows)).toString('base64url')
  return packed.length > LONGEST ? undefined : packed
}

/** Null for what was not written by `packEffects`: a person may have edited the comment. */
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
