import { HoldfastError } from '../../lib/errors.ts'
import { recordId } from '../../records/record-id.ts'
import type { RecordKey } from '../../records/record-type.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Io } from '../../shell/io.ts'
import type { Forge, PullRequestPage } from '../forge/forge.ts'
import { openForge } from '../forge/open-forge.ts'
import { troubleText } from '../forge/refusals.ts'
import { changedRecords } from '../models/pull-requests.ts'
import type { PastApplyDetails } from '../target/target.ts'
import { appliedCommits } from './applied-commits.ts'
import { cloneOf } from './clone.ts'
import { pushRevert, type Revert } from './make-revert.ts'
import { forgeOfRemote } from './remote-forge.ts'
import { revertBody, revertBranch, revertMessage, revertTitle } from './revert-text.ts'

export interface OpenedRevert extends PullRequestPage {
  readonly branch: string
  readonly commit: string
  /** Records that the apply changed and the revert does not restore. */
  readonly unrestored: readonly RecordKey[]
}

/** A pull request that is ready to be opened. Nothing is written yet. */
interface PreparedRevert {
  readonly repository: string
  open(plan: Plan, platform: string): Promise<OpenedRevert>
}

/** Checks everything that can be checked before the user is asked: the apply, the clone, the forge and its token. */
export async function prepareRevert(apply: PastApplyDetails, models: string, io: Io): Promise<PreparedRevert> {
  const applied = appliedCommits(apply)
  const clone = await cloneOf(applied, models, io)
  const place = forgeOfRemote(clone.remote.url, io.env)
  const forge = await openForge(place, io)
  const branch = revertBranch(apply)
  const ask = <T>(what: string, work: Promise<T>) =>
    work.catch((error: unknown) => {
      if (io.signal.aborted || error instanceof HoldfastError) throw error
      const reason = troubleText(error, place, 'pull-requests: write', io.now())
      throw new HoldfastError('UNAVAILABLE', `${what}: ${reason}`, { cause: error })
    })
  const open = await ask('no pull request was opened', forge.openPullRequest(branch))
  if (open !== null)
    throw new HoldfastError('CONFLICT', `pull request ${open.number} rolls this apply back already: ${open.url}`)
  return {
    repository: place.repositoryUrl,
    async open(plan, platform) {
      const message = (reverted: Revert['reverted']) => revertMessage(apply, reverted)
      const revert = await pushRevert(clone, { applied, branch, message }, io)
      const unrestored = await unrestoredBy(revert, apply, models, io)
      const text = {
        branch,
        into: revert.into,
        title: revertTitle(apply),
        body: revertBody({ apply, plan, platform, reverted: revert.reverted, unrestored }),
      }
      const pushed = `the branch ${branch} was pushed, and no pull request was opened from it; open it at ${place.repositoryUrl}, or put this right, run git push ${clone.remote.name} --delete ${branch}, and try again`
      const page = await ask(pushed, createOnce(forge, text))
      return { ...page, branch, commit: revert.commit, unrestored }
    },
  }
}

/**
 * Opens the pull request, or finds it: the answer may have been lost, or another process may have opened it from the
 * same commit.
 */
async function createOnce(forge: Forge, text: Parameters<Forge['createPullRequest']>[0]): Promise<PullRequestPage> {
  return forge.createPullRequest(text).catch(async (error: unknown) => {
    const found = await forge.openPullRequest(text.branch).catch(() => null)
    if (found === null) throw error
    return found
  })
}

async function unrestoredBy(
  { before, commit }: Revert,
  { changes }: PastApplyDetails,
  models: string,
  io: Io,
): Promise<readonly RecordKey[]> {
  const changed = await changedRecords(before, commit, models, io)
  if (changed === null) return []
  const isChanged = (type: RecordKey['type'], key: string) => changed.has(recordId({ type, key }))
  const unrestored = changes.filter(({ type, key, from, action, patch }) => {
    // The diff of a commit does not show secrets.
    const isSecretAlone = action === 'update' && patch.length === 0
    return !isSecretAlone && !isChanged(type, key) && !isChanged(type, from ?? key)
  })
  return unrestored.map(({ type, key }) => ({ type, key }))
}
