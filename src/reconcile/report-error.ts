import { CommanderError } from 'commander'
import { isDiagnostic, type Diagnostic } from '../lib/diagnostic.ts'
import { HoldfastError, traceOf } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'
import { paint } from '../lib/styled-line.ts'
import { escapeUnseen } from '../lib/visible-text.ts'
import { renderDiagnostics } from '../plan/render/render-diagnostics.ts'
import { findingLines } from '../plan/render/text/text-findings.ts'
import type { Io } from '../shell/io.ts'
import { PlatformError } from '../client/platform-error.ts'
import { withoutCommands } from './forge/workflow-commands.ts'
import { sourceLinesIn } from './models/source-lines.ts'
import { usesColor } from '../shell/terminal.ts'

/** The error as `--format json` writes it. Programs depend on its format. */
interface ErrorReport {
  readonly code: string
  readonly message: string
  readonly details: readonly unknown[]
  readonly traceId: string | null
}

/** Reports an error: as JSON on stdout instead of the result, or in words on stderr. */
export function reportError(error: unknown, io: Pick<Io, 'stdout' | 'stderr' | 'env' | 'cwd'>, asJson: boolean): void {
  const report = errorReport(error)
  if (asJson) io.stdout.write(`${JSON.stringify({ error: report }, null, 2)}\n`)
  else io.stderr.write(withoutCommands(errorText(report, io), io.env))
  if (io.env['HOLDFAST_DEBUG'] && error instanceof Error) io.stderr.write(`${traceOf(error)}\n`)
}

function errorReport(error: unknown): ErrorReport {
  if (error instanceof HoldfastError) {
    const traceId = error instanceof PlatformError ? error.traceId : null
    return { code: error.code, message: error.message, details: error.details, traceId }
  }
  if (error instanceof CommanderError) {
    return {
      code: 'BAD_USER_INPUT',
      message: error.message.replace(/^error: /, '').replaceAll('\n', ' '),
      details: [],
      traceId: null,
    }
  }
  const message = 'something went wrong that should not; set HOLDFAST_DEBUG=1 to see where, and please report it'
  return { code: 'INTERNAL', message, details: [], traceId: null }
}

const ADVICE_FOR_GUARDS = 'Acknowledge each of them in holdfast.yaml, or once with --allow CODE:type/key (CODE:type).'

function adviceOn({ code, details }: ErrorReport): readonly string[] {
  return code === 'BLOCKED' && details.some(isGuard) ? [`  ${ADVICE_FOR_GUARDS}`] : []
}

/** Tells whether a detail is a guard. A missing secret stops an apply too, but cannot be acknowledged. */
function isGuard(detail: unknown): boolean {
  return isObject(detail) && !isDiagnostic(detail) && detail['code'] !== 'secret-not-resolved'
}

function errorText(report: ErrorReport, io: Pick<Io, 'stderr' | 'env' | 'cwd'>): string {
  const { message, details, traceId } = report
  const diagnostics = details.filter(isDiagnostic)
  const others = details.filter((detail) => !isDiagnostic(detail) && !isForPrograms(detail) && !isSaid(detail, message))
  const found = diagnostics.length === 0 ? '' : ensureNewline(foundText(diagnostics, io))
  const lines = [
    `error: ${indentedLines(message)}`,
    ...others.map((detail) => `  ${detailText(detail)}`),
    ...adviceOn(report),
    ...(traceId === null ? [] : [`  trace-id ${escapeUnseen(traceId)}`]),
  ]
  return `${found}${lines.join('\n')}\n`
}

function foundText(
  diagnostics: readonly Diagnostic[],
  { stderr, env, cwd }: Pick<Io, 'stderr' | 'env' | 'cwd'>,
): string {
  const color = usesColor(env, stderr)
  if (!stderr.isTerminal) return renderDiagnostics(diagnostics, { color })
  return paint(findingLines(diagnostics, { width: stderr.columns ?? 80, sourceLine: sourceLinesIn(cwd) }), color)
}

/** Indents all lines but the first, so that text from outside cannot look like a separate message. */
function indentedLines(message: string): string {
  const [first = '', ...rest] = message.split('\n')
  return [first, ...rest.map((line) => `  ${line.trimStart()}`)].map(escapeUnseen).join('\n')
}

function isSaid(detail: unknown, message: string): boolean {
  return isObject(detail) && typeof detail['message'] === 'string' && message.includes(detail['message'])
}

function ensureNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

/** Details that are for programs only, because the message already names the missing right. */
export function isForPrograms(detail: unknown): boolean {
  return isObject(detail) && typeof detail['right'] === 'string'
}

/** Describes a record, a guard on one, or any other detail that the platform sends. */
export function detailText(detail: unknown): string {
  if (!isObject(detail)) return escapeUnseen(typeof detail === 'string' ? detail : JSON.stringify(detail))
  const { code, type, key, reason, message = reason } = detail
  if (typeof type !== 'string') return escapeUnseen(typeof message === 'string' ? message : JSON.stringify(detail))
  const record = typeof key === 'string' ? `${type}/${key}` : type
  const about = typeof code === 'string' ? `${code}:${record}` : record
  return escapeUnseen(typeof message === 'string' ? `${about}: ${message}` : about)
}
