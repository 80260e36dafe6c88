import { HoldfastError } from '../../lib/errors.ts'
import { recordId } from '../../records/record-id.ts'
import type { RecordKey } from '../../records/record-type.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Io } from '../../shell/io.ts'
import type { PullRequestPage } from '../forge/forge.ts'
import { changedRecords } from '../models/pull-requests.ts'
import type { PastApplyDetails } from '../target/target.ts'
import { appliedCommits } from './applied-commits.ts'
import { cloneOf } from './clone.ts'
import { forgeDesk } from './forge-desk.ts'
import { pushRevert, type Revert } from './make-revert.ts'
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
  const desk = await forgeDesk(clone, io)
  const branch = revertBranch(apply)
  const open = await desk.find(branch)
  if (open !== null)
    throw new HoldfastError('CONFLICT', `pull request ${open.number} rolls this apply back already: ${open.url}`)
  return {
    repository: desk.repository,
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
      const page = await desk.create(text)
      return { ...page, branch, commit: revert.commit, unrestored }
    },
  }
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
