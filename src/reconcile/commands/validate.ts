import { counted } from '../../lib/counted.ts'
import { hasErrors, type Diagnostic } from '../../lib/diagnostic.ts'
import { renderDiagnostics } from '../../plan/render/render-diagnostics.ts'
import { DONE, type Ending } from '../exit-code.ts'
import type { Context, Io } from '../io.ts'
import { findingsOf, loadModels } from '../models.ts'
import type { Format } from '../show-plan.ts'
import { repositoryPaths } from '../pull-request/repository-path.ts'
import { annotate, inActions, withoutCommands } from '../pull-request/workflow-commands.ts'
import { textStyle } from '../terminal.ts'

export interface ValidateOptions {
  readonly models: string
  readonly format: Format
}

/** Checks the models without any platform. */
export async function validate({ models, format }: ValidateOptions, { io }: Context): Promise<Ending> {
  const loaded = loadModels(models, io)
  const diagnostics = findingsOf(loaded)
  io.stdout.write(render(diagnostics, format, io))
  if (inActions(io.env)) annotate(diagnostics, io, await repositoryPaths(loaded.directory, io))
  if (format === 'text') io.stderr.write(`${summary(diagnostics)}\n`)
  return hasErrors(diagnostics) ? { kind: 'found-errors' } : DONE
}

function render(diagnostics: readonly Diagnostic[], format: Format, io: Io): string {
  if (format === 'json') return `${JSON.stringify({ diagnostics }, null, 2)}\n`
  const text = renderDiagnostics(diagnostics, { color: format === 'text' && textStyle(io).color })
  const lines = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return format === 'text'
    ? withoutCommands(lines, io.env)
    : `${summary(diagnostics)}\n${lines === '' ? '' : `\n${fenced(lines)}`}`
}

/** In a fence longer than any in the text, so that no name can end it (CommonMark, section 4.5). */
function fenced(lines: string): string {
  const longest = Math.max(2, ...[...lines.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${lines}${fence}\n`
}

function summary(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const warnings = diagnostics.length - errors
  if (errors > 0) return `The models are not valid: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}.`
  return warnings > 0 ? `The models are valid, with ${counted(warnings, 'warning')}.` : 'The models are valid.'
}
