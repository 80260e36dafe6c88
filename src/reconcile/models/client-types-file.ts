import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { clientTypes, CLIENT_TYPES_MARK } from '../../documents/write/client-types.ts'
import { nameSome } from '../../lib/counted.ts'
import { hasErrors } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { plainText } from '../../lib/visible-text.ts'
import type { GeneratedFiles, Io } from '../../shell/io.ts'
import { reasonOfFileError } from '../file-error.ts'
import { snapshotOf } from './model-findings.ts'
import { loadModels } from './models.ts'
import { replaceFiles } from './replace-files.ts'

/** The file with the types of the models. It refuses models with errors, and a file that it did not write. */
export function clientTypesFile(models: string, out: string, io: Io): GeneratedFiles {
  const absolute = resolve(io.cwd, out)
  const replacement = async () => {
    const text = typesOf(models, io)
    const before = await readExisting(absolute, out)
    // On Windows, Git may have changed the ends of lines.
    const isSame = before?.toString().replaceAll('\r\n', '\n') === text
    return isSame ? [] : [{ path: out, absolute, text, before }]
  }
  return {
    stale: async () => (await replacement()).map(({ path }) => path),
    async write() {
      const replaced = await replacement()
      await replaceFiles(replaced)
      return replaced.map(({ path }) => path)
    },
  }
}

const MOST_NAMED = 5

function typesOf(models: string, io: Io): string {
  const { snapshot, diagnostics } = snapshotOf(loadModels(models, io))
  if (hasErrors(diagnostics)) {
    const details = diagnostics.filter(({ severity }) => severity === 'error')
    throw new HoldfastError('BAD_USER_INPUT', 'the models are not valid, so no types were written', { details })
  }
  const { text, unknown } = clientTypes(snapshot)
  if (unknown.length > 0) {
    const names = nameSome(unknown.map(plainText), MOST_NAMED)
    io.stderr.write(
      `warning: the models link to records that they do not describe: ${names}. The types of these are unknown\n`,
    )
  }
  return text
}

async function readExisting(path: string, out: string): Promise<Buffer | null> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new HoldfastError('BAD_USER_INPUT', `cannot read --out ${out}: ${reasonOfFileError(error)}`)
  })
  if (bytes === null || bytes.length === 0 || bytes.toString().split(/\r?\n/, 1)[0] === CLIENT_TYPES_MARK) return bytes
  const message = `--out ${out} exists, and "holdfast types" did not write it; name another file, or remove it`
  throw new HoldfastError('CONFLICT', message)
}
