import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { isObject } from '../lib/json.ts'

/** Generates the text of one committed file. The same sources must give the same bytes on every machine. */
export interface Emitter {
  /** The path from the root of the repository, with `/`. */
  readonly path: string
  emit(): Promise<string>
}

/** Returns the paths of files whose committed text differs from the generated text. */
export async function staleFiles(emitters: readonly Emitter[], root: URL): Promise<string[]> {
  const stale: string[] = []
  for (const { path, emit } of emitters) {
    if ((await readText(new URL(path, root))) !== (await emit())) stale.push(path)
  }
  return stale
}

/** Writes the files that are stale and returns their paths. */
export async function writeFiles(emitters: readonly Emitter[], root: URL): Promise<string[]> {
  const stale = await staleFiles(emitters, root)
  for (const { path, emit } of emitters.filter((emitter) => stale.includes(emitter.path))) {
    const file = new URL(path, root)
    await mkdir(new URL('.', file), { recursive: true })
    await writeFile(file, await emit())
  }
  return stale
}

async function readText(file: URL): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isObject(error) && error['code'] === 'ENOENT') return undefined
    throw error
  }
}
