import { HoldfastError } from '../../lib/errors.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context, GeneratedFiles, Io } from '../../shell/io.ts'
import { commandLine } from '../../shell/terminal.ts'
import { sameModels } from '../apply/show-plan.ts'
import { clientTypesFile } from '../models/client-types-file.ts'
import { watching } from '../models/watch-files.ts'
import { reportError } from '../report-error.ts'

export interface TypesOptions {
  readonly out?: string
  readonly models?: string
  readonly watch?: boolean
  readonly check?: boolean
  readonly format: 'text' | 'json'
}

/** Writes the types of the models for apps, or else `generated/` again. `--check` only reports outdated files. */
export async function types(options: TypesOptions, { io, parts }: Context): Promise<CommandResult> {
  const { out, models, watch, check, format } = options
  if (out === undefined && (models !== undefined || watch === true))
    throw new HoldfastError('BAD_USER_INPUT', '--models and --watch need --out FILE')
  const directory = models ?? 'models'
  const files = out === undefined ? await parts.generatedFiles() : clientTypesFile(directory, out, io)
  if (watch === true) return watching(directory, io, (next) => writeAgain(files, next, format, io))
  if (check !== true) {
    const written = await files.write()
    const text = written.length === 0 ? `${out ?? 'generated/'} is up to date` : `wrote ${written.join(', ')}`
    io.stdout.write(format === 'json' ? `${JSON.stringify({ written }, null, 2)}\n` : `${text}\n`)
    return DONE
  }
  const stale = await files.stale()
  if (stale.length === 0) {
    if (format === 'json') io.stdout.write(`${JSON.stringify({ stale }, null, 2)}\n`)
    return DONE
  }
  const words = out === undefined ? [] : ['--out', out, ...sameModels({ models: directory })]
  const message = `${stale.join(', ')} out of date: run "${commandLine(io.env, 'types', ...words)}" and commit the result`
  throw new HoldfastError('CONFLICT', message)
}

/** Writes the files after each change until Ctrl-C. An error ends nothing, because the next change may correct it. */
async function writeAgain(
  files: GeneratedFiles,
  next: () => Promise<void>,
  format: TypesOptions['format'],
  io: Io,
): Promise<never> {
  for (;;) {
    const written = await files.write().catch((error: unknown) => {
      reportError(error, io, format === 'json')
      return []
    })
    if (written.length > 0)
      io.stdout.write(format === 'json' ? `${JSON.stringify({ written })}\n` : `wrote ${written.join(', ')}\n`)
    await next()
  }
}
