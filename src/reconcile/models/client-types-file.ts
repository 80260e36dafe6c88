import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { clientTypes, CLIENT_TYPES_MARK } from '../../documents/write/client-types.ts'
import { hasErrors } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { reasonOfFileError } from '../file-error.ts'
import type { Io } from '../../shell/io.ts'
import { snapshotOf } from './model-findings.ts'
import { loadModels } from './models.ts'
import { replaceFiles, type Replacement } from './replace-files.ts'

/** The types of the models, and the file that has them or should have them. */
export interface ClientTypesFile {
  readonly isStale: boolean
  /** Records that the models link and do not describe. */
  readonly unknown: readonly string[]
  write(): Promise<void>
}

/** Makes the types from the models. It refuses models with errors, and a file that it did not write. */
export async function clientTypesFile(models: string, out: string, io: Io): Promise<ClientTypesFile> {
  const { snapshot, diagnostics } = snapshotOf(loadModels(models, io))
  if (hasErrors(diagnostics)) {
    const details = diagnostics.filter(({ severity }) => severity === 'error')
    throw new HoldfastError('BAD_USER_INPUT', 'the models are not valid, so no types were written', { details })
  }
  const { text, unknown } = clientTypes(snapshot)
  const absolute = resolve(io.cwd, out)
  const before = await readExisting(absolute, out)
  const replacement: Replacement = { path: out, absolute, text, before }
  return { isStale: before?.equals(Buffer.from(text)) !== true, unknown, write: () => replaceFiles([replacement]) }
}

async function readExisting(path: string, out: string): Promise<Buffer | null> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new HoldfastError('BAD_USER_INPUT', `cannot read --out ${out}: ${reasonOfFileError(error)}`)
  })
  if (bytes === null || bytes.length === 0 || bytes.includes(CLIENT_TYPES_MARK)) return bytes
  const message = `--out ${out} exists, and "holdfast types" did not write it; name another file, or remove it`
  throw new HoldfastError('CONFLICT', message)
}
