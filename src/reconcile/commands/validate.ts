import { counted } from '../../lib/counted.ts'
import { hasErrors, type Diagnostic } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { fence } from '../../plan/render/markdown/markdown-text.ts'
import { renderDiagnostics } from '../../plan/render/render-diagnostics.ts'
import { findingLines } from '../../plan/render/text/text-findings.ts'
import { paint } from '../../lib/styled-line.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context, Io } from '../../shell/io.ts'
import { findingsOf } from '../models/model-findings.ts'
import { loadModels } from '../models/models.ts'
import { sourceLinesIn } from '../models/source-lines.ts'
import type { Format } from '../apply/show-plan.ts'
import { repositoryPaths } from '../pull-request/repository-path.ts'
import { annotate, inActions, withoutCommands } from '../forge/workflow-commands.ts'
import { textStyle } from '../../shell/terminal.ts'

export interface ValidateOptions {
  readonly models: string
  readonly format: Format
}

/** Checks the models without a platform. */
export async function validate(options: ValidateOptions, { io }: Context): Promise<CommandResult> {
  try {
    return await validateModels(options, io)
  } catch (error) {
    if (inActions(io.env)) await summarize(error instanceof HoldfastError ? error.message : '', [], io)
    throw error
  }
}

async function validateModels({ models, format }: ValidateOptions, io: Io): Promise<CommandResult> {
  const loaded = loadModels(models, io)
  const diagnostics = findingsOf(loaded)
  const isForPerson = format === 'text' && io.stdout.isTerminal
  const text = isForPerson ? forPerson(diagnostics, io) : render(diagnostics, format, io)
  io.stdout.write(format === 'json' ? text : withoutCommands(text, io.env))
  if (inActions(io.env)) {
    annotate(diagnostics, io, await repositoryPaths(loaded.directory, io))
    if (hasErrors(diagnostics)) await summarize(summary(diagnostics), diagnostics, io)
  }
  return hasErrors(diagnostics) ? { kind: 'found-errors' } : DONE
}

/** Writes the findings into the summary of the job. For the author of a fork, that may be the only visible result. */
async function summarize(message: string, diagnostics: readonly Diagnostic[], io: Io): Promise<void> {
  const [{ renderFailure }, { writeSummary }] = await Promise.all([
    import('../../plan/render/markdown/comment-failure.ts'),
    import('../pull-request/step-output.ts'),
  ])
  const failure = { headline: 'Not valid', message, diagnostics, notes: [], advice: [] }
  writeSummary((limit) => renderFailure(failure, limit), io)
}

function forPerson(diagnostics: readonly Diagnostic[], io: Io): string {
  const { color, width } = textStyle(io)
  const sourceLine = sourceLinesIn(io.cwd)
  return `${paint([...findingLines(diagnostics, { width, sourceLine }), [summary(diagnostics)]], color)}\n`
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
