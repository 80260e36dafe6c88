import { describe, expect, it } from 'vitest'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import { planImport } from '../../src/platform/imports/planning/plan-import.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { NO_SETTINGS, type Settings } from '../../src/records/settings.ts'
import { countingDatabase } from '../support/counting-database.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { acknowledging, makeDomain, plan } from '../support/domain.ts'
import { isLong } from '../support/runs.ts'

// What a plan and an apply ask of the database, in statements (COMMIT is one, beginning and opening the domain are not
// counted apart). One more for each record, type or reference would show here as another number for another size.

const SIZES = isLong ? [10, 1_000, 5_000] : [10, 2_000]

interface Step {
  readonly what: string
  /** With `COMMIT`; a plan commits nothing. */
  readonly statements: { readonly plan: number; readonly apply: number }
  document(size: number): object
  readonly settings?: (size: number) => Settings
}

const RENAMED = { every: 1, name: 'All changed', prefix: 'moved' }

/** Each step goes on from where the one before it has led. */
const STEPS: readonly Step[] = [
  { what: 'everything is created', statements: { plan: 8, apply: 32 }, document: (size) => model(size) },
  { what: 'nothing changes', statements: { plan: 6, apply: 10 }, document: (size) => model(size) },
  {
    what: 'one in a hundred changes',
    statements: { plan: 10, apply: 25 },
    document: (size) => model(size, { every: 100, name: 'Changed' }),
  },
  {
    what: 'everything changes',
    statements: { plan: 10, apply: 25 },
    document: (size) => model(size, { every: 1, name: 'All changed' }),
  },
  {
    what: 'one in ten moves',
    // One asks which component models offer a moved path.
    statements: { plan: 10, apply: 24 },
    document: (size) => model(size, RENAMED),
    settings: (size) => moves(size),
  },
  {
    what: 'all secrets change',
    statements: { plan: 9, apply: 28 },
    document: (size) => model(size, { ...RENAMED, secret: 'Another-9xKq4Wm7Zt2Rv5Yb8Lc3' }),
  },
  { what: 'everything is deleted', statements: { plan: 10, apply: 37 }, document: () => EMPTY },
]

describe.each(SAMPLED_DATABASES)('the statements of a plan and of its apply on $name', ({ openMigrated }) => {
  it.each(SIZES)('are the same few for %i records', async (size) => {
    const database = await openMigrated()
    const context = await makeDomain(database)
    const counted = []
    for (const { what, document, settings } of STEPS) {
      counted.push({
        what,
        statements: await countStatements(context, document(size), settings?.(size) ?? NO_SETTINGS),
      })
    }
    expect(counted).toStrictEqual(STEPS.map(({ what, statements }) => ({ what, statements })))
    await database.close()
  })
})

async function countStatements(
  context: DomainContext,
  document: object,
  decided: Settings,
): Promise<Step['statements']> {
  const settings = acknowledging(await plan(context, document, decided), decided)
  const planning = countingDatabase(context.database)
  const reviewed = await planImport({ ...context, database: planning }, document, settings)
  const applying = countingDatabase(context.database)
  await applyImport({ ...context, database: applying }, { document, settings, plan: reviewed.plan, origin: {} })
  return { plan: planning.statements.length, apply: applying.statements.length }
}

const EMPTY = {
  applicationConsumers: [],
  characteristics: [],
  services: [],
  dataSources: [],
  organizations: [],
  users: [],
}

interface Variation {
  /** Every how many records one has another name. */
  readonly every?: number
  readonly name?: string
  /** How the characteristics that move are called. */
  readonly prefix?: string
  readonly secret?: string
}

/** About `size` records with references, links, trees and secrets. */
function model(
  size: number,
  { every = 0, name = 'Changed', prefix = 'c', secret = 'Initial-3fGh6Jk9Pq2Sw5Xz8Bn1' }: Variation = {},
): object {
  const many = <T>(share: number, make: (number: number, name: string) => T) =>
    Array.from({ length: Math.ceil(size * share) }, (_, number) =>
      make(number, every > 0 && number % every === 0 ? name : 'Name'),
    )
  const codeOf = (number: number) => (number % 10 === 0 ? `${prefix}${number}` : `c${number}`)
  return {
    applicationConsumers: many(0.01, (n, name) => ({
      slug: `a${n}`,
      name,
      secret: `${secret}${n}`,
      grantTypes: ['PASSWORD'],
    })),
    characteristics: many(0.4, (n, name) => ({
      code: codeOf(n),
      name,
      characteristicType: 'MEASUREMENT',
      dataType: 'FLOAT',
    })),
    services: many(0.2, (n, name) => ({ code: `s${n}`, name, characteristics: [{ code: codeOf(n) }] })),
    dataSources: many(0.2, (n, name) => ({ code: `d${n}`, name })),
    organizations: many(0.05, (n, name) => ({ alias: `o${n}`, name, organizationUnits: [{ name: 'Unit' }] })),
    users: many(0.1, (n, name) => ({ email: `u${n}@example.org`, name, organization: { alias: 'o0' } })),
  }
}

function moves(size: number): Settings {
  const moved = Array.from({ length: Math.ceil(size * 0.04) }, (_, n) => ({
    type: 'characteristics' as const,
    from: `c${n * 10}`,
    to: `moved${n * 10}`,
  }))
  return { ...NO_SETTINGS, moved }
}
