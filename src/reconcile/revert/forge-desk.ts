import { HoldfastError } from '../../lib/errors.ts'
import type { Io } from '../../shell/io.ts'
import type { Forge, PullRequestPage } from '../forge/forge.ts'
import { openForge } from '../forge/open-forge.ts'
import { troubleText } from '../forge/refusals.ts'
import type { Clone } from './clone.ts'
import { forgeOfRemote } from './remote-forge.ts'

type PullRequest = Parameters<Forge['createPullRequest']>[0]

/** Opens pull requests at the forge of a clone. */
export interface ForgeDesk {
  readonly repository: string
  /** The open pull request of a branch; null if there is none. */
  find(branch: string): Promise<PullRequestPage | null>
  /** Opens a pull request from a branch that was pushed. */
  create(text: PullRequest): Promise<PullRequestPage>
}

export async function forgeDesk({ remote }: Clone, io: Io): Promise<ForgeDesk> {
  const place = forgeOfRemote(remote.url, io.env)
  const forge = await openForge(place, io)
  const ask = <T>(what: string, work: Promise<T>) =>
    work.catch((error: unknown) => {
      if (io.signal.aborted || error instanceof HoldfastError) throw error
      const reason = troubleText(error, place, 'pull-requests: write', io.now())
      throw new HoldfastError('UNAVAILABLE', `${what}: ${reason}`, { cause: error })
    })
  return {
    repository: place.repositoryUrl,
    find: (branch) => ask('no pull request was opened', forge.openPullRequest(branch)),
    create(text) {
      const { branch } = text
      const pushed = `the branch ${branch} was pushed, and no pull request was opened from it; open it at ${place.repositoryUrl}, or put this right, run git push ${remote.name} --delete ${branch}, and try again`
      return ask(pushed, createOnce(forge, text))
    },
  }
}

/** Opens the pull request, or finds it if an answer was lost or another process opened it from the same commit. */
async function createOnce(forge: Forge, text: PullRequest): Promise<PullRequestPage> {
  return forge.createPullRequest(text).catch(async (error: unknown) => {
    const found = await forge.openPullRequest(text.branch).catch(() => null)
    if (found === null) throw error
    return found
  })
}
