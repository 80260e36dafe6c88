import { nameSome } from '../../lib/counted.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { plainText } from '../../lib/visible-text.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context, Io } from '../../shell/io.ts'
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

/**
 * Writes the types of the models into a file for clients, or else `generated/` again. With `--check`, it only reports
 * the files that are out of date.
 */
export async function types(options: TypesOptions, { io, parts }: Context): Promise<CommandResult> {
  const { out, models, watch, check, format } = options
  if (out !== undefined) return typesOfModels({ ...options, out }, io)
  if (models !== undefined || watch === true)
    throw new HoldfastError('BAD_USER_INPUT', '--models and --watch need --out FILE')
  const files = await parts.generatedFiles()
  if (check === true) return checked(await files.stale(), format, commandLine(io.env, 'types'), io)
  tellWritten(await files.write(), 'generated/', format, io)
  return DONE
}

async function typesOfModels(options: TypesOptions & { readonly out: string }, io: Io): Promise<CommandResult> {
  const { out, models = 'models', watch, check, format } = options
  const make = async () => {
    const file = await clientTypesFile(models, out, io)
    warnAboutUnknown(file.unknown, io)
    return file
  }
  if (check === true) {
    const { isStale } = await make()
    return checked(
      isStale ? [out] : [],
      format,
      commandLine(io.env, 'types', '--out', out, ...sameModels({ models })),
      io,
    )
  }
  const write = async () => {
    const file = await make()
    if (file.isStale) await file.write()
    tellWritten(file.isStale ? [out] : [], out, format, io)
  }
  if (watch !== true) {
    await write()
    return DONE
  }
  return watching(models, io, async (next) => {
    // Errors are corrected in the files, so they end nothing. Ctrl-C does, while it waits.
    for (;;) {
      await write().catch((error: unknown) => reportError(error, io, format === 'json'))
      await next()
    }
  })
}

const MOST_NAMED = 5

function warnAboutUnknown(unknown: readonly string[], io: Io): void {
  if (unknown.length === 0) return
  const names = nameSome(unknown.map(plainText), MOST_NAMED)
  io.stderr.write(`warning: the models link and do not describe ${names}: their types are unknown\n`)
}

function tellWritten(written: readonly string[], all: string, format: TypesOptions['format'], io: Io): void {
  const text = written.length === 0 ? `${all} is up to date` : `wrote ${written.join(', ')}`
  io.stdout.write(format === 'json' ? `${JSON.stringify({ written }, null, 2)}\n` : `${text}\n`)
}

function checked(stale: readonly string[], format: TypesOptions['format'], command: string, io: Io): CommandResult {
  if (stale.length > 0) {
    const message = `${stale.join(', ')} out of date: run "${command}" and commit the result`
    throw new HoldfastError('CONFLICT', message)
  }
  if (format === 'json') io.stdout.write(`${JSON.stringify({ stale }, null, 2)}\n`)
  return DONE
}
