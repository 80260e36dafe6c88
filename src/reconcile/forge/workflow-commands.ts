import { counted } from '../../lib/counted.ts'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import { escapeUnseen } from '../../lib/visible-text.ts'
import { diagnosticText, errorsFirst } from '../../plan/render/render-diagnostics.ts'
import type { Environment, Io } from '../../shell/io.ts'

// A job talks to the runner of GitHub Actions by lines in its log of the form `::command name=value::text`.

/** GitHub shows this many errors and warnings of a step, and drops the others silently. */
const MOST_ANNOTATIONS = 10

export function inActions(env: Environment): boolean {
  return env['GITHUB_ACTIONS'] === 'true'
}

/** GitLab shows lines of the log as they are, and the log already has the findings in words. */
function inGitLab(env: Environment): boolean {
  return env['GITLAB_CI'] === 'true'
}

/** Shows findings next to their lines. `pathOf` gives a path from the root of the repository. */
export function annotate(diagnostics: readonly Diagnostic[], io: Pick<Io, 'stderr' | 'env'>, pathOf: PathOf): void {
  if (inGitLab(io.env)) return
  for (const severity of ['error', 'warning'] as const) {
    const found = errorsFirst(diagnostics).filter((diagnostic) => diagnostic.severity === severity)
    const shown = found.length > MOST_ANNOTATIONS ? found.slice(0, MOST_ANNOTATIONS - 1) : found
    for (const diagnostic of shown) io.stderr.write(annotation(diagnostic, pathOf))
    const more = found.length - shown.length
    if (more > 0) {
      io.stderr.write(
        command(severity, { title: 'Holdfast' }, `${counted(more, `more ${severity}`)}: see the log of this step`),
      )
    }
  }
}

export type PathOf = (file: string) => string | undefined

function annotation(diagnostic: Diagnostic, pathOf: PathOf): string {
  const { severity, code, file, line, column, pointer } = diagnostic
  const path = file === undefined ? undefined : pathOf(file)
  const position = path === undefined ? {} : { file: path, line, col: column }
  const message = diagnosticText(diagnostic)
  const where = path === undefined ? escapeUnseen(file ?? pointer) : ''
  return command(severity, { ...position, title: escapeUnseen(code) }, where === '' ? message : `${where}: ${message}`)
}

/** Shows a warning about the run as a whole. */
export function warn(message: string, io: Pick<Io, 'stderr' | 'env'>): void {
  const text = escapeUnseen(message)
  io.stderr.write(inGitLab(io.env) ? `warning: ${text}\n` : command('warning', { title: 'Holdfast' }, text))
}

type Parameters = { readonly [name: string]: string | number | undefined }

function command(name: string, parameters: Parameters, text: string): string {
  const words = Object.entries(parameters).flatMap(([parameter, value]) =>
    value === undefined ? [] : [`${parameter}=${escapeParameter(String(value))}`],
  )
  return `::${name} ${words.join(',')}::${escapeText(text)}\n`
}

/** Escapes as GitHub's own toolkit does (actions/toolkit, packages/core/src/command.ts). */
function escapeText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeParameter(text: string): string {
  return escapeText(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/**
 * Changes lines that the runner would read as commands, so that names in the models cannot give commands. It checks
 * the beginning of each line after spaces. It also finds the older form `##[command]` anywhere.
 */
export function withoutCommands(text: string, env: Environment): string {
  return inActions(env) ? text.replace(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, '$1: ').replaceAll('##[', '## [') : text
}
