import { escapeUnseen, hasUnseen, quoteText } from '../../lib/visible-text.ts'
import { allChanges, allRows, type GuardCode, type Plan } from '../plan.ts'
import { ACCESS } from '../../records/record-type.ts'
import { openGuards } from './verdict.ts'

/** A guard that stops the apply, with what is needed to acknowledge it. */
export interface OpenGuard {
  readonly code: GuardCode
  readonly type: string
  /** Absent for a guard on a type as a whole. */
  readonly key?: string
}

export function openGuardsOf(plan: Plan): OpenGuard[] {
  const guards: OpenGuard[] = [
    ...allRows(plan).flatMap((row) => openGuards(row).map(({ code }) => ({ code, type: row.type }))),
    ...allChanges(plan).flatMap((change) =>
      openGuards(change).map(({ code }) => ({ code, type: change.type, key: change.key })),
    ),
  ]
  const first = plan.access.previously === null ? guards.filter(isWideningGrant) : []
  return first.length < 2 ? guards : [...guards.filter((guard) => !isWideningGrant(guard)), FIRST_GRANTS]
}

/** The first grants of a domain can be acknowledged together. */
const FIRST_GRANTS: OpenGuard = { code: 'widens-access', type: ACCESS }

function isWideningGrant({ code, type }: OpenGuard): boolean {
  return code === 'widens-access' && type === ACCESS
}

/** The entry for `acknowledge` in holdfast.yaml. Its author fills in the reason. */
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
