import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HoldfastError } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json.ts'
import { isDocumentTypeName } from '../../records/record-type.ts'
import { documentYaml } from '../../documents/write/document-yaml.ts'
import { withFile, writeBeside } from '../file-error.ts'
import { makeDirectory } from './make-directory.ts'
import { pathBelow } from '../../shell/path-below.ts'

export const MARK = '# Written by "holdfast export". The next export into this directory writes it again.'

interface ExportedFiles {
  readonly written: readonly string[]
  readonly unchanged: readonly string[]
  /** Files of an earlier export for which this export has no records. */
  readonly left: readonly string[]
}

/** Writes one file for each record type. It writes what differs, and only over files of an export. */
export async function writeExport(document: JsonObject, directory: string, cwd: string): Promise<ExportedFiles> {
  const root = resolve(cwd, directory)
  await makeDirectory(root)
  const earlier = await earlierExport(root, directory)
  const unfinished = new Map<string, string>()
  const unchanged: string[] = []
  try {
    for (const [type, records] of Object.entries(document)) {
      // The type comes from the platform and becomes a file name, so it is checked.
      if (!isDocumentTypeName(type)) throw unknownType(type)
      const name = `${type}.yaml`
      const text = fileText(root, { [type]: records })
      if (isSame(earlier.get(name), text)) unchanged.push(name)
      else
        unfinished.set(name, await withFile('write', join(directory, name), () => writeBeside(join(root, name), text)))
    }
    // All files are complete at this point. If the disk was full before, the earlier export is unchanged.
    for (const [name, from] of unfinished) {
      await withFile('write', join(directory, name), () => rename(from, join(root, name)))
    }
  } finally {
    for (const from of unfinished.values()) await rm(from, { force: true })
  }
  const written = [...unfinished.keys()]
  const left = [...earlier.keys()].filter((name) => !Object.hasOwn(document, name.replace(/\.yaml$/, '')))
  return { written, unchanged, left }
}

function unknownType(type: string): HoldfastError {
  const message = `the platform exports ${JSON.stringify(type)}, which this version of Holdfast does not know; nothing was written`
  return new HoldfastError('CONFLICT', message)
}

/** The text of a file as pieces of UTF-8, which takes the least memory. */
function fileText(root: string, document: JsonObject): readonly Buffer[] {
  const pieces = [Buffer.from(`${modeline(root)}${MARK}\n\n`)]
  for (const piece of documentYaml(document)) pieces.push(Buffer.from(piece))
  return pieces
}

function isSame(earlier: Buffer | undefined, text: readonly Buffer[]): boolean {
  const size = text.reduce((sum, { length }) => sum + length, 0)
  if (earlier?.length !== size) return false
  let at = 0
  return text.every((piece) => earlier.subarray(at, (at += piece.length)).equals(piece))
}

/** The files of an earlier export by name. Other model files are refused, as they describe the same records. */
async function earlierExport(root: string, shown: string): Promise<ReadonlyMap<string, Buffer>> {
  const found = await withFile('read the directory', shown, () => readdir(root, { recursive: true }))
  const names = found.filter(isModelFile).sort()
  const texts = new Map<string, Buffer>()
  for (const name of names) texts.set(name, await withFile('read', join(shown, name), () => readFile(join(root, name))))
  const foreign = names.filter((name) => name.includes(sep) || texts.get(name)?.includes(MARK) !== true)
  if (foreign.length === 0) return texts
  throw new HoldfastError(
    'CONFLICT',
    `${shown} holds model files that no export wrote: ${foreign.slice(0, 5).join(', ')}${foreign.length > 5 ? ', …' : ''}; export into a directory of its own, and nothing of yours is overwritten or described twice`,
  )
}

/** Tells whether a file counts as a model. Hidden entries and `node_modules` do not. */
function isModelFile(path: string): boolean {
  const isHidden = path.split(sep).some((name) => name.startsWith('.') || name === 'node_modules')
  return /\.(yaml|yml|json)$/i.test(path) && !isHidden && path !== 'holdfast.yaml'
}

const SCHEMAS = fileURLToPath(new URL('../../../schemas/', import.meta.url))

/** Tells editors where the JSON Schema is: next to the models, as in this project, or where `init` has put it. */
export function modeline(root: string, schema: 'import-document' | 'settings' = 'import-document'): string {
  const file = `${schema}.schema.json`
  const own = relative(root, join(SCHEMAS, file))
  const isInside = pathBelow(resolve(SCHEMAS, '..'), root) !== undefined
  const beside = join('..', 'schemas', file)
  const path = isInside ? own : existsSync(join(root, beside)) ? beside : null
  return path === null ? '' : `# yaml-language-server: $schema=${path.replaceAll(sep, '/')}\n`
}
