import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { blocks } from '../end-to-end/markdown.ts'
import { startFakeActions } from '../end-to-end/fake-actions.ts'
import { holdfast } from '../reconcile/run-command.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { applyAll } from '../support/domain.ts'
import { strongSecret } from '../support/example-records.ts'
import { startLoginServer } from '../support/login-server.ts'
import { askOf } from './ask-graphql.ts'
import { ACTION, model } from './forge-models.ts'
import { makeGitRepository } from './git-repository.ts'
import { giteaPipeline } from './pipelines.ts'

describe('Gitea, which gives its jobs no tokens', () => {
  it('signs in with the passwords of the how-to', async () => {
    const actions = await startFakeActions()
    const server = await startLoginServer({})
    const git = makeGitRepository({})
    onTestFinished(async () => {
      git.close()
      await server.close()
      await actions.close()
    })
    const page = readFileSync(new URL('../../docs/how-to/gitea.md', import.meta.url), 'utf8')
    const [accounts = ''] = blocks(page, 'yaml')
    const names = [...accounts.matchAll(/\$\{env:(\w+)\}/g)].map(([, name]) => name ?? '')
    const env = Object.fromEntries(names.map((name) => [name, strongSecret(name)]))
    await applyAll(server.context, parse(accounts.replaceAll(/\$\{env:(\w+)\}/g, (_, name: string) => env[name] ?? '')))
    const token = await giveToken(server.context, await makeMachine(server.context, 'operator'))
    const ask = askOf(server.url, token)
    for (const user of ['acme-gitea-plan', 'acme-gitea-apply'])
      await ask(`mutation { createGrant(input: { role: EDITOR, machineUser: "${user}" }) { uuid } }`)
    const { applicationConsumer } = (await ask('{ applicationConsumer(slug: "gitea") { identifier } }')) as {
      applicationConsumer: { identifier: string }
    }
    const opened = giteaPipeline('Gitea', {
      HOLDFAST_CLIENT_ID: applicationConsumer.identifier,
      HOLDFAST_CLIENT_SECRET: env['GITEA_SECRET'] ?? '',
      HOLDFAST_PLAN_USERNAME: 'acme-gitea-plan',
      HOLDFAST_PLAN_PASSWORD: env['PLAN_PASSWORD'] ?? '',
    }).open()
    await git.edit(async (cwd) => void (await holdfast(`init . --gitea --action ${ACTION}`, { cwd })), {})
    const base = git.tip('main')
    const commit = git.commit('b', model('b'))
    opened.fake.addPull(1, commit)
    const world = { git, actions, url: server.url, forgeOrigin: '', forgeFetch: fetch }
    const [plan] = await opened.run({ kind: 'proposal', branch: 'b', commit, number: 1, base }, world)
    expect(plan).toMatchObject({ job: 'plan', code: 0 })
    expect(opened.fake.ownBodies(1)[0]).toMatch(/^### Plan: 1 to create/)
  })
})
