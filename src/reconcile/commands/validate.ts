import { counted } from '../../lib/counted.ts'
import { hasErrors, type Diagnostic } from '../../lib/diagnostic.ts'
import { fence } from '../../plan/render/markdown/markdown-text.ts'
import { renderDiagnostics } from '../../plan/render/render-diagnostics.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context, Io } from '../../shell/io.ts'
import { findingsOf, loadModels } from '../models/models.ts'
import type { Format } from '../apply/show-plan.ts'
import { repositoryPaths } from '../pull-request/repository-path.ts'
import { annotate, inActions, withoutCommands } from '../pull-request/workflow-commands.ts'
import { textStyle } from '../../shell/terminal.ts'

export interface ValidateOptions {
  readonly models: string
  readonly format: Format
}

/** Checks the models without a platform. */
export async function validate({ models, format }: ValidateOptions, { io }: Context): Promise<CommandResult> {
  const loaded = loadModels(models, io)
  const diagnostics = findingsOf(loaded)
  const text = render(diagnostics, format, io)
  io.stdout.write(format === 'json' ? text : withoutCommands(text, io.env))
  if (inActions(io.env)) annotate(diagnostics, io, await repositoryPaths(loaded.directory, io))
  return hasErrors(diagnostics) ? { kind: 'found-errors' } : DONE
}

function render(diagnostics: readonly Diagnostic[], format: Format, io: Io): string {
  if (format === 'json') return `${JSON.stringify({ diagnostics }, null, 2)}\n`
  const text = renderDiagnostics(diagnostics, { color: format === 'text' && textStyle(io).color })
  const lines = text === '' || text.endsWith('\n') ? text : `${text}\n`
  const verdict = `${summary(diagnostics)}\n`
  return format === 'text' ? `${lines}${verdict}` : `${verdict}${lines === '' ? '' : fencedBlock(lines)}`
}

function fencedBlock(lines: string): string {
  return `\n${fence('text', lines.trimEnd().split('\n')).join('\n')}\n`
}

function summary(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const warnings = diagnostics.length - errors
  if (errors > 0) return `The models are not valid: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}.`
  return warnings > 0 ? `The models are valid, with ${counted(warnings, 'warning')}.` : 'The models are valid.'
}
