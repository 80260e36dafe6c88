import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDocument } from '../../src/documents/read/read-document.ts'
import type { Json, JsonObject } from '../../src/lib/json.ts'
import { keyOf } from '../../src/records/identity.ts'
import { recordType } from '../../src/records/registry.ts'
import { modelArbitrary, mutationArbitrary } from '../support/random-model.ts'
import type { Model } from '../support/valid-model.ts'
import { effects } from '../support/plan-parts.ts'
import { naiveEffects } from './naive-planner.ts'
import { planAgainst } from './plan-against.ts'
import { runsOf } from '../support/runs.ts'

const RUNS = runsOf('LAW_RUNS', { sample: 60, long: 300 })

/** No secrets: a platform from a document cannot compare them. */
function withoutSecrets({ applicationConsumers: _, machineUsers: __, ...model }: Model): Model {
  return model
}

const pair = modelArbitrary().chain((before) => fc.tuple(fc.constant(before), mutationArbitrary(before)))

/** Keys of the nodes whose list of children is absent. */
function openNodes(nodes: readonly Json[], field: string, parent: string | null = null): string[] {
  return (nodes as readonly JsonObject[]).flatMap((node) => {
    const key = keyOf(recordType('organizations'), node, parent)
    const children = node[field]
    return Array.isArray(children) ? openNodes(children, 'directChildren', key) : [key]
  })
}

test('the fast difference by digests is the naive one by bodies', async () => {
  await fc.assert(
    fc.asyncProperty(pair, async ([first, second]) => {
      const [live, wanted] = [withoutSecrets(first), withoutSecrets(second)]
      // Metadata types of the platform give plain values their type where the document leaves them out.
      fc.pre(wanted.metadataTypes !== undefined || live.metadataTypes === undefined)
      const open = new Set(openNodes(wanted.organizations ?? [], 'organizationUnits'))
      const expected = naiveEffects(readDocument(live).snapshot, readDocument(wanted).snapshot, (key) => open.has(key))
      expect(effects(await planAgainst(live, wanted)).sort()).toEqual(expected)
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})

test('the naive planner sees creations, updates, deletions and what follows from them', async () => {
  const samples = fc.sample(pair, { seed: 7, numRuns: 150 })
  const seen = samples.flatMap(([live, wanted]) =>
    naiveEffects(
      readDocument(withoutSecrets(live)).snapshot,
      readDocument(withoutSecrets(wanted)).snapshot,
      () => false,
    ),
  )
  const actions = new Set(seen.map((effect) => effect.split(' ')[0]))
  expect(actions).toEqual(new Set(['create', 'update', 'delete']))
  expect(seen.some((effect) => /delete organizations\/.+\//.test(effect))).toBe(true)
  expect(seen.some((effect) => effect.includes('Links/'))).toBe(true)
})
