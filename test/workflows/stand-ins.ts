import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { ROOT } from './files.ts'
import type { GitRepository } from './git-repository.ts'

// The actions of GitHub that the workflows use, as far as they are used. Of each only what it does, not how.

export interface Surroundings {
  readonly git: GitRepository
  readonly workspace: string
  /** The commit of the run. */
  readonly commit: string
  readonly runId: number
  /** Artifacts of all runs, below `<run>/<name>`. */
  readonly artifacts: string
  readonly inputs: { readonly [name: string]: string }
}

/** Undefined: it has worked. */
type StandIn = (surroundings: Surroundings) => string | undefined

const STAND_INS: { readonly [action: string]: StandIn } = {
  'actions/checkout': checkout,
  'actions/setup-node': () => undefined,
  'actions/upload-artifact': upload,
  'actions/download-artifact': download,
}

export function standIn(uses: string): StandIn {
  const found = STAND_INS[uses.split('@')[0] ?? '']
  if (found === undefined) throw new Error(`there is no stand-in for ${uses}`)
  return found
}

function checkout({ git, workspace, commit, inputs }: Surroundings): undefined {
  const directory = resolve(workspace, inputs['path'] ?? '.')
  if (inputs['repository']) placeHoldfast(directory)
  else git.checkOut(commit, directory)
}

/** Holdfast as it is here, with the packages that `npm ci` would install. */
function placeHoldfast(directory: string): void {
  mkdirSync(directory, { recursive: true })
  for (const name of ['action.yml', 'bin', 'generated', 'node_modules', 'package.json', 'schemas', 'src']) {
    symlinkSync(join(ROOT, name), join(directory, name))
  }
}

function upload({ inputs, artifacts, runId }: Surroundings): string | undefined {
  const { name = 'artifact', path = '' } = inputs
  if (/[":<>|*?\r\n\\/]/.test(name)) return `the artifact name ${name} is not valid`
  if (!existsSync(path)) return `no files were found with the path ${path}`
  const target = join(artifacts, String(runId), name)
  mkdirSync(target, { recursive: true })
  cpSync(path, join(target, basename(path)))
  return undefined
}

function download({ inputs, artifacts, runId }: Surroundings): string | undefined {
  const { name = '', path = '' } = inputs
  const source = join(artifacts, inputs['run-id'] || String(runId), name)
  if (!existsSync(source)) return `Artifact not found for name: ${name}`
  mkdirSync(path, { recursive: true })
  for (const file of readdirSync(source)) cpSync(join(source, file), join(path, file))
  return undefined
}
