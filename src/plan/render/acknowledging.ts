import { scalarText } from '../../documents/yaml/yaml-scalars.ts'
import { escapeUnseen, hasUnseen } from '../../lib/visible-text.ts'
import { allChanges, allRows, type GuardCode, type Plan } from '../plan.ts'
import { openGuards } from './verdict.ts'

/** A guard that stops the apply, with what is needed to acknowledge it. */
export interface OpenGuard {
  readonly code: GuardCode
  readonly type: string
  /** Absent for a guard on a type as a whole. */
  readonly key?: string
  /** The digest of the access diff; only for `widens-access`. */
  readonly digest?: string
}

export function openGuardsOf(plan: Plan): OpenGuard[] {
  return [
    ...allRows(plan).flatMap((row) =>
      openGuards(row).map(({ code }) => ({ code, type: row.type, ...digestFor(code, plan) })),
    ),
    ...allChanges(plan).flatMap((change) =>
      openGuards(change).map(({ code }) => ({ code, type: change.type, key: change.key })),
    ),
  ]
}

function digestFor(code: GuardCode, { access: { diff } }: Plan): Pick<OpenGuard, 'digest'> {
  return code === 'widens-access' && diff?.digest !== undefined ? { digest: diff.digest } : {}
}

/** The lines for holdfast.yaml. Their author fills in the reasons. */
export function yamlLines(guards: readonly OpenGuard[]): string[] {
  return ['acknowledge:', ...guards.map((guard) => `  ${yamlEntry(guard)}`)]
}

function yamlEntry({ code, type, key, digest }: OpenGuard): string {
  const record = key === undefined ? '' : `, key: ${scalarText(key)}`
  const diff = digest === undefined ? '' : `, digest: ${digest}`
  return `- { code: ${code}, type: ${type}${record}${diff}, reason: … }`
}

/** The lines of a command that allows the guards once. `command` ends with its first `--allow`. */
export function allowLines(command: string, guards: readonly OpenGuard[]): string[] {
  return guards.map((guard, index) => {
    const start = index === 0 ? command : '  --allow'
    const end = index === guards.length - 1 ? '' : ' \\'
    return `${start} ${shellWord(allowText(guard))}${end}`
  })
}

/** The argument of `--allow` for a guard. */
export function allowText({ code, type, key, digest }: OpenGuard): string {
  return `${code}:${digest ?? (key === undefined ? type : `${type}/${key}`)}`
}

function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  if (!hasUnseen(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`
  return `$'${escapeUnseen(text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`))}'`
}
