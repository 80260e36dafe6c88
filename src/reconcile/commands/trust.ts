import { realpathSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { platformUrl, type PlatformOptions } from '../../client/platform-address.ts'
import { SETTINGS_FILE } from '../../documents/read/settings-file.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'
import { progressOn } from '../../shell/progress.ts'
import { repositoryOf } from '../models/readable-path.ts'
import { connect, withTarget, type PlatformConnection } from '../target/open-target.ts'
import { ensureCodeOwners } from '../trust/code-owners.ts'
import { describedUsers, ensureInModels, ensureOnPlatform, presentUsers } from '../trust/ensure-machine-users.ts'
import {
  ensureRules,
  findMethod,
  refuseUsersOfOthers,
  rulesInForce,
  usersOf,
  type Step,
  type Trust,
} from '../trust/ensure-rules.ts'
import { findRepository, type GithubRepository } from '../trust/github-repository.ts'
import { githubSteps } from '../trust/github-steps.ts'
import { githubTrust, letsInRunsByHand } from '../trust/github-trust.ts'

export interface TrustOptions extends PlatformOptions {
  readonly models: string
  readonly environment: string
  readonly issuer: string
  readonly owners?: string
  readonly jobWorkflowRef?: string
  readonly runsByHand?: boolean
  /** Whether to use machine users that already exist. */
  readonly adopt?: boolean
}

/**
 * Lets the jobs of a repository sign in. It makes machine users, and rules that accept the repository's tokens. Git
 * is the source of truth, so the models get the machine users. The platform gets them at once, too, because otherwise
 * the first job could not sign in.
 */
export async function trustGithub(name: string, options: TrustOptions, context: Context): Promise<CommandResult> {
  const { io } = context
  const progress = progressOn(io)
  try {
    const audience = requireAddress(options, context)
    const described = describedUsers(options.models, io)
    progress.step('Asking GitHub')
    const repository = await findRepository(name, io)
    const { environment, issuer, models, jobWorkflowRef = null, runsByHand = false, adopt = false } = options
    const trust = githubTrust(repository, { audience, issuer, environment, jobWorkflowRef, runsByHand })
    progress.step('Asking the platform')
    const { steps, isByHand } = await withTarget(connect(options, context, progress), (platform) =>
      ensureTrust(platform, trust, described, { repository, models, adopt }, context),
    )
    const owner = await ensureOwner(options, repository, context)
    progress.clear()
    for (const { done, what } of [...steps, owner]) io.stdout.write(`${done.padEnd(7)} ${what}\n`)
    io.stdout.write(githubSteps({ repository, environment, audience, models, isByHand }))
    return DONE
  } finally {
    progress.clear()
  }
}

/** The audience of the tokens. No job can reach a platform without an address. */
function requireAddress(options: PlatformOptions, { io }: Context): string {
  const url = platformUrl(options, io.env)
  if (url !== null) return url.replace(/\/$/, '')
  throw new HoldfastError('BAD_USER_INPUT', 'give the address by which the jobs reach the platform: --url https://…')
}

interface Home {
  readonly repository: GithubRepository
  readonly models: string
  readonly adopt: boolean
}

interface Ensured {
  readonly steps: readonly Step[]
  /** Whether runs that somebody starts by hand may apply. */
  readonly isByHand: boolean
}

async function ensureTrust(
  { request }: PlatformConnection,
  trust: Trust,
  described: ReadonlySet<string> | null,
  { repository, models, adopt }: Home,
  { io }: Context,
): Promise<Ensured> {
  const method = await findMethod(request, trust)
  const rules = rulesInForce(trust, method)
  const names = usersOf(rules)
  const present = await presentUsers(request, names)
  if (!adopt) refuseUsersOfOthers(trust, method, new Set(present.statuses.keys()))
  const comment = `The jobs of ${repository.name} sign in as these by GitHub's own token. Nobody knows their passwords.`
  const file = { name: 'github.yaml', comment }
  // The rules tell the command which machine users are its own, even if an earlier run failed before it made them.
  const ruled = await ensureRules(request, trust, rules, method)
  const made = await ensureOnPlatform(request, names, present)
  const written = await ensureInModels(names, described, present, file, models, io)
  return { steps: [...made, ...ruled, written], isByHand: letsInRunsByHand(rules) }
}

function ensureOwner({ models, owners }: TrustOptions, repository: GithubRepository, { io }: Context): Promise<Step> {
  const directory = realpathSync.native(resolve(io.cwd, models))
  const root = repositoryOf(directory) ?? realpathSync.native(io.cwd)
  const path = relative(root, join(directory, SETTINGS_FILE)).replaceAll(sep, '/')
  const [person = ''] = repository.name.split('/')
  const implied = repository.isPersonal ? [`@${person}`] : []
  return ensureCodeOwners(root, path, owners?.split(/[\s,]+/).filter((owner) => owner !== '') ?? implied)
}
