import { escapeUnseen, hasUnseen, quoteText } from '../../lib/visible-text.ts'
import type { GuardCode, Plan } from '../plan.ts'
import { openGuards } from './verdict.ts'

/** A guard that stops the apply, and how to let it pass. */
export interface OpenGuard {
  readonly code: GuardCode
  readonly type: string
  /** Absent for a guard on a type as a whole. */
  readonly key?: string
}

export function openGuardsOf({ scope, changes }: Plan): OpenGuard[] {
  return [
    ...scope.flatMap((row) => openGuards(row).map(({ code }) => ({ code, type: row.type }))),
    ...changes.flatMap((change) =>
      openGuards(change).map(({ code }) => ({ code, type: change.type, key: change.key })),
    ),
  ]
}

/** The entry for `acknowledge` in holdfast.yaml; the reason is left to be written. */
export function yamlEntry({ code, type, key }: OpenGuard): string {
  const record = key === undefined ? '' : `, key: ${yamlScalar(key)}`
  return `- { code: ${code}, type: ${type}${record}, reason: … }`
}

export function allowOption({ code, type, key }: OpenGuard): string {
  return `--allow ${shellWord(key === undefined ? `${code}:${type}` : `${code}:${type}/${key}`)}`
}

const YAML_WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i

function yamlScalar(text: string): string {
  return /^[a-z_][\w./@-]*$/i.test(text) && !YAML_WORDS.test(text) ? text : quoteText(text)
}

function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  if (!hasUnseen(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`
  return `$'${escapeUnseen(text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`))}'`
}
