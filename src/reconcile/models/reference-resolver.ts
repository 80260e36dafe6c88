import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { ReferenceResolver } from '../../documents/read/interpolate.ts'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import type { Io } from '../../shell/io.ts'
import { variables } from './env-file.ts'
import { OUTSIDE, problemOf, repositoryOf } from './readable-path.ts'

export interface ReadingPlace extends Pick<Io, 'cwd' | 'env'> {
  /** The directory that has `.env`; left out if it is the working directory. */
  readonly home?: string
}

/** A resolver, with findings about the references that it refused. */
interface ModelResolver extends ReferenceResolver {
  readonly refused: readonly Diagnostic[]
  /** The paths of the files that were read. */
  readonly read: readonly string[]
  /** The requested references, each with its file. */
  readonly asked: ReadonlySet<string>
}

/**
 * Resolves the references of model files. The files may come from a stranger's pull request, and the values end up in
 * plans that others read. So references cannot read the credentials of this program or its job, files outside of the
 * repository, or hidden files (`.env`, `.git/config`, `.holdfast/credentials.json`). `home` is the directory of
 * `.env`. If `known` is given, every other reference stays unresolved.
 */
export function modelResolver(
  directory: string,
  { env, cwd, home = cwd }: ReadingPlace,
  known?: ReadonlySet<string>,
): ModelResolver {
  const refused = new Map<string, Diagnostic>()
  const read = new Set<string>()
  const asked = new Set<string>()
  const variable = variables(env, home)
  const root = repositoryOf(directory) ?? realpathSync.native(directory)
  const refuse = (reference: string, why: string, file?: string) => {
    refused.set(`${reference} ${file}`, refusal(reference, why, file))
    return undefined
  }
  const isKnown = (reference: string) => {
    asked.add(reference)
    return known?.has(reference) !== false
  }
  return {
    asked,
    env(name) {
      if (!isKnown(`env:${name}`)) return undefined
      if (!isCredentialName(name)) return variable(name)
      return refuse(`env:${name}`, 'it belongs to the command itself; use a variable of another name')
    },
    file(path, from) {
      if (!isKnown(`file:${path} in ${from}`)) return undefined
      // On Windows, even a look at such a path signs in at the server that it names.
      if (/^[\\/]{2}/.test(path)) return refuse(`file:${path}`, OUTSIDE, from)
      const real = realPath(resolve(cwd, dirname(from), path))
      if (real === undefined) return undefined
      const problem = problemOf(root, real)
      if (problem !== null) return refuse(`file:${path}`, problem, from)
      read.add(real)
      return readText(real)
    },
    get refused() {
      return [...refused.values()]
    },
    get read() {
      return [...read]
    },
  }
}

function refusal(reference: string, why: string, file: string | undefined): Diagnostic {
  const message = `\${${reference}} is not looked up: ${why}`
  const position = file === undefined ? {} : { file, line: 1, column: 1 }
  return { severity: 'error', code: 'reference-refused', message, pointer: '', ...position }
}

/** Resolves nothing, for documents in which references must stay unchanged. */
export const NO_REFERENCES: ReferenceResolver = { env: () => undefined, file: () => undefined }

/** The credentials that forges put into their jobs. At GitLab, the address of a repository contains a token. */
const OF_FORGES =
  /^(?:(?:GITHUB|GH|GITLAB|GITEA|FORGEJO)_TOKEN|CI_.*(?:TOKEN|PASSWORD)|CI_REPOSITORY_URL|BITBUCKET_.*TOKEN|SYSTEM_ACCESSTOKEN)$|^CI_.*JWT/i

function isCredentialName(name: string): boolean {
  return /^(HOLDFAST_|ACTIONS_)/i.test(name) || OF_FORGES.test(name) || name.toUpperCase() === 'DATABASE_URL'
}

/** The path with all links followed; undefined if nothing exists. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

function readText(path: string): string | undefined {
  try {
    if (!statSync(path).isFile()) return undefined
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path))
  } catch {
    return undefined
  }
}
