import { differenceOf } from '../../documents/base-document.ts'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { Io } from '../../shell/io.ts'
import type { SentBase } from '../target/target.ts'
import type { Models } from './models.ts'
import { commitAt, modelsAt, refusalOfGit } from './models-at.ts'

/** The base. If there is none, the reason for it; then everything is planned. */
export type FoundBase = { readonly base: SentBase } | { readonly base: null; readonly finding: Diagnostic }

/** Finds the base of the models by `--base`. Empty means an unknown base, as for a repository's first push. */
export async function baseOf(
  reference: string,
  models: Models,
  directory: string,
  io: Pick<Io, 'cwd' | 'env'>,
): Promise<FoundBase> {
  if (reference === '') return without('it is not known which commit the models change')
  const commit = await commitAt(reference, directory, io)
  if (commit === null) throw unknownCommit(reference, await refusalOfGit(directory, io))
  const base = await modelsAt(commit, directory, io)
  const error = base?.diagnostics.find(({ severity }) => severity === 'error')
  if (error !== undefined)
    return without(
      `the models of ${reference} have errors (${error.file ?? directory}: ${error.message}), so the changes against them are unknown`,
    )
  return { base: sentBase(models, base) }
}

/** The base in the form that the platform gets: its differences from the models. Null if there is none. */
export function sentBase(
  models: Pick<Models, 'document'>,
  base: Pick<Models, 'document' | 'settings'> | null,
): SentBase {
  const { access, moved, acknowledge } = base?.settings ?? { moved: [], acknowledge: [] }
  const settings = { moved, acknowledge, ...(access !== undefined && { access }) }
  return { document: differenceOf(models.document, base?.document ?? {}), settings }
}

function without(why: string): FoundBase {
  const message = `${why}; the plan is of everything that differs between the models and the platform`
  return { base: null, finding: { severity: 'warning', code: NO_BASE, message, pointer: '' } }
}

/** The code of the finding that everything is planned although only a change was requested. */
const NO_BASE = 'no-base'

function unknownCommit(reference: string, refusal: string | null): HoldfastError {
  if (refusal !== null) return new HoldfastError('BAD_USER_INPUT', `--base ${reference}: ${refusal}`)
  return new HoldfastError(
    'BAD_USER_INPUT',
    `--base ${reference}: Git knows no such commit where the models are; fetch it (a shallow clone has only the newest commits), or leave --base out to plan everything`,
  )
}
