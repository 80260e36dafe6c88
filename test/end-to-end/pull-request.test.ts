import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { POSTGRES } from '../support/databases.ts'
import type { PullRequest } from '../workflows/events.ts'
import { startWorld, type World } from '../workflows/world.ts'

// From a branch to rows in PostgreSQL: a bare Git repository, the workflows that `holdfast init` writes, run step by step,
// a GitHub and a platform on loopback. The tests are one story and run in this order.

const STORY = { timeout: 180_000 }

let world: World
beforeAll(async () => {
  world = await startWorld({ database: POSTGRES })
}, STORY.timeout)
afterAll(() => world.close())

function rows({ database, domain }: DomainContext): Promise<readonly object[]> {
  return database.read((sql) =>
    sql.query(
      `select key, body->>'name' as name from records where domain_id = $1 and type = 'characteristics' order by key`,
      [domain.id],
    ),
  )
}

const DIGEST = /digest `(sha256:[0-9a-f]{64})`/

describe('a change of the model', STORY, () => {
  let pull: PullRequest
  let reviewed: string | undefined

  it('is planned on its pull request, which changes nothing', async () => {
    const files = {
      'models/a.yaml': `characteristics:
  - { code: a, name: Outdoor temperature, characteristicType: MEASUREMENT, dataType: FLOAT, symbol: °C }
  - { code: b, name: Wind, characteristicType: MEASUREMENT, dataType: FLOAT }
`,
    }
    const proposed = await world.propose('weather', files)
    pull = proposed.pull
    const [comment, ...others] = world.github.comments(pull.number)
    expect(others).toEqual([])
    expect(comment?.body).toMatch(/^### Plan: 1 to create, 1 to update/)
    reviewed = DIGEST.exec(comment?.body ?? '')?.[1]
    expect(reviewed).toBeDefined()
    expect(await rows(world.server.context)).toEqual([{ key: 'a', name: 'A' }])
  })

  it('has another plan after another commit, in the same comment', async () => {
    const text = world.git.read('weather', 'models/a.yaml').replace('name: Wind', 'name: Wind speed')
    await world.propose('weather', { 'models/a.yaml': text })
    const comments = world.github.comments(pull.number)
    expect(comments).toHaveLength(1)
    const now = DIGEST.exec(comments[0]?.body ?? '')?.[1]
    expect(now).not.toBe(reviewed)
    reviewed = now
    pull = { ...pull, head: world.git.tip('weather') }
  })

  it('is applied when it is merged: the plan of the comment, and no other', async () => {
    const base = world.git.tip('main')
    const { jobs } = await world.merge(pull)
    expect(jobs['apply/apply']).toMatchObject({ result: 'success' })
    expect(await rows(world.server.context)).toEqual([
      { key: 'a', name: 'Outdoor temperature' },
      { key: 'b', name: 'Wind speed' },
    ])
    const { applies } = (await world.ask('{ applies(first: 1) { nodes { planDigest actor origin } } }')) as Applies
    expect(applies.nodes).toEqual([
      {
        planDigest: reviewed,
        actor: 'github-apply',
        origin: {
          commit: world.git.tip('main'),
          base,
          repository: 'acme/models',
          ref: 'refs/heads/main',
          actor: 'ann',
          owner: 'acme/models',
          folder: 'models',
          pullRequest: '#1',
        },
      },
    ])
    // Whoever looks at the pull request sees what was done, and nothing else.
    expect(world.github.comments(pull.number)).toHaveLength(1)
  })

  it('leaves nothing to do', async () => {
    const { pull: next, run } = await world.propose('nothing', {
      'models/a.yaml': `${world.git.read('main', 'models/a.yaml')}# ok\n`,
    })
    expect(run.jobs['plan/plan']).toMatchObject({ result: 'success' })
    expect(world.github.comments(next.number)[0]?.body).toMatch(/^### ✅ No changes/)
  })
})

interface Applies {
  readonly applies: { readonly nodes: readonly object[] }
}
