import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { FakeGitea, GITEA } from '../../support/fake-gitea.ts'
import { fakeGitHub, type FakeGitHub } from '../../support/fake-github.ts'
import { FakeGitLab, GITLAB } from '../../support/fake-gitlab.ts'
import { makeGitRepository, type GitRepository } from '../../workflows/git-repository.ts'
import { FakePlatform } from '../fake-platform.ts'
import { holdfast, type Outcome, type SessionOptions } from '../run-command.ts'
import { live, models } from '../sample.ts'
import { workspace } from '../workspace.ts'

// A person with a clone of a repository of models, who rolls back what was applied from it.

const PERSON = {
  PATH: process.env['PATH'],
  HOME: '/nowhere',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.org',
}

export interface Desk {
  readonly git: GitRepository
  readonly platform: FakePlatform
  readonly clone: string
  readonly env: NonNullable<SessionOptions['env']>
  /** Runs Git in the clone. */
  inClone(...words: readonly string[]): string
  run(line: string, more?: Partial<SessionOptions>): Promise<Outcome>
  /** Checks main out as it is at the forge, and applies it as a job does: as a change of `base`. */
  apply(base?: string): Promise<void>
}

/** A clone of a bare repository that a forge has at this address, with the variables that Git needs in it. */
export function cloneFrom(path: string, remote: string) {
  const clone = join(workspace(), 'clone')
  execFileSync('git', ['clone', '--quiet', path, clone], { stdio: 'pipe' })
  const inClone = (...words: readonly string[]) =>
    execFileSync('git', words, {
      cwd: clone,
      env: { ...process.env, ...PERSON },
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim()
  inClone('remote', 'set-url', 'origin', remote)
  inClone('config', `url.${path}.insteadOf`, remote)
  return { clone, inClone, env: PERSON }
}

/** `remote` is the address of the repository, and `env` has the token for it. */
export function openDesk(remote: string, env: SessionOptions['env'], fetch: SessionOptions['fetch']): Desk {
  const git = makeGitRepository({ 'models/a.json': models('a') })
  onTestFinished(() => git.close())
  const { clone, inClone } = cloneFrom(git.path, remote)
  const all = { ...PERSON, ...env }
  const platform = new FakePlatform(live('a'))
  const run = (line: string, more: Partial<SessionOptions> = {}) =>
    holdfast(line, {
      cwd: clone,
      platform,
      env: all,
      ...(fetch !== undefined && { fetch }),
      ...more,
    })
  return {
    git,
    platform,
    clone,
    env: all,
    inClone,
    run,
    async apply(base) {
      inClone('fetch', '--quiet', 'origin')
      inClone('checkout', '--quiet', '-B', 'main', 'origin/main')
      const line = `apply --yes${base === undefined ? '' : ` --base ${base}`}`
      const { code, stderr } = await run(line, { env: { ...all, GITHUB_ACTOR: 'octocat' } })
      if (code !== 0) throw new Error(stderr)
    },
  }
}

export const AT_GITHUB = 'https://github.com/acme/models.git'

export async function deskAtGitHub(): Promise<Desk & { readonly github: FakeGitHub }> {
  const github = await fakeGitHub()
  const env = { GITHUB_API_URL: github.url, GH_TOKEN: github.token }
  return { ...openDesk(AT_GITHUB, env, (request) => fetch(request)), github }
}

/** A desk at each forge, and the pull requests that were opened there. */
export const DESKS = [
  {
    name: 'GitHub',
    async open() {
      const desk = await deskAtGitHub()
      return { desk, opened: () => desk.github.pulls }
    },
  },
  {
    name: 'GitLab',
    async open() {
      const fake = new FakeGitLab()
      const desk = openDesk(`git@${new URL(GITLAB).host}:acme/models.git`, { GITLAB_TOKEN: fake.token }, fake.fetch)
      return { desk, opened: () => [...fake.pulls.values()] }
    },
  },
  {
    name: 'Gitea',
    async open() {
      const fake = new FakeGitea()
      const desk = openDesk(`${GITEA}/acme/models.git`, { GITEA_TOKEN: fake.token }, fake.fetch)
      return { desk, opened: () => [...fake.pulls.values()] }
    },
  },
]

export const ROLLBACK = 'rollback --pull-request --yes'
export const UUID = '00000000-0000-4000-8000-000000000001'
export const BRANCH = 'holdfast/rollback-00000000'
export const B = { 'models/b.json': models('b') }

/** The branches at the forge. */
export function branchesOf({ git }: Desk): string[] {
  const words = ['branch', '--format=%(refname:short)']
  return execFileSync('git', words, { cwd: git.path, encoding: 'utf8' }).trim().split('\n')
}

/** At GitHub, with one more record on main than before, which was applied. */
export async function applied() {
  const desk = await deskAtGitHub()
  desk.git.commit('main', B)
  await desk.apply('HEAD~1')
  return desk
}
