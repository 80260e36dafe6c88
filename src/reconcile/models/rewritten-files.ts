import { resolve } from 'node:path'
import type { SourceFile } from '../../documents/read/read-file.ts'
import type { Io } from '../../shell/io.ts'
import type { ModelSource } from './model-source.ts'
import type { Replacement } from './replace-files.ts'

/** A file of the models with another text, which has no byte order mark. */
export interface RewrittenFile {
  readonly path: string
  readonly text: string
  readonly isNew?: boolean
}

/** The models as if the files were written already. */
export function withTexts(source: ModelSource, files: readonly RewrittenFile[]): ModelSource {
  const made = new Map(files.map(({ path, text }): [string, SourceFile] => [path, { path, bytes: Buffer.from(text) }]))
  const kept = source.files.map((file) => made.get(file.path) ?? file)
  const added = files.filter(({ isNew }) => isNew === true).flatMap(({ path }) => made.get(path) ?? [])
  return { ...source, files: [...kept, ...added] }
}

export function replacementOf(
  { path, text, isNew = false }: RewrittenFile,
  source: ModelSource,
  { cwd }: Pick<Io, 'cwd'>,
): Replacement {
  const before = isNew ? null : (source.files.find((file) => file.path === path)?.bytes ?? null)
  // Most editors drop the byte order mark, but some programs on Windows need it.
  const mark = before !== null && before[0] === 0xef && before[1] === 0xbb ? '\ufeff' : ''
  return { path, absolute: resolve(cwd, path), text: mark + text, before }
}
