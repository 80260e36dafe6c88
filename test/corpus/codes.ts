import { hash } from 'node:crypto'

/** `Halo Smart Labs HALO+` → `halo-smart-labs-halo`: readable, and two texts may well share one. */
export function slug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Eight hexadecimal digits that stand for a content, so that equal contents share a code in every version. */
export function contentHash(content: unknown): string {
  return hash('sha256', JSON.stringify(content), 'hex').slice(0, 8)
}
