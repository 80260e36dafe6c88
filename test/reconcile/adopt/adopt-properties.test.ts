import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { writtenForm } from '../../../src/documents/write/written-form.ts'
import type { JsonObject } from '../../../src/lib/json.ts'
import { DOCUMENT_TYPE_NAMES } from '../../../src/records/record-type.ts'
import '../../support/property-seed.ts'
import { modelArbitrary, mutationArbitrary } from '../../support/random-model.ts'
import { runsOf } from '../../support/runs.ts'
import type { Model } from '../../support/valid-model.ts'
import { fileStyleArbitrary, writtenIn, type FileStyle } from '../../support/written-styles.ts'
import { FakePlatform } from '../fake-platform.ts'
import { holdfast } from '../run-command.ts'
import { workspace } from '../workspace.ts'

const REFUSED =
  /other places repeat this by \*|this repeats another place by \*|it has comments, which would be lost|there are comments beside it|a comment follows on this line/

/** The model in two files: every list is in one of them, or a part of it in each. */
function filesOf(model: Model, styles: readonly [FileStyle, FileStyle], parts: readonly number[]) {
  const halves: [Record<string, unknown>, Record<string, unknown>] = [{}, {}]
  for (const [index, [type, list]] of Object.entries(model).entries()) {
    const part = parts[index % parts.length] ?? 0
    const at = part === 0 ? 0 : part === 1 ? list.length : Math.floor(list.length / 2)
    if (at > 0 || part === 1) halves[0][type] = list.slice(0, at)
    if (at < list.length || (at === 0 && part !== 1)) halves[1][type] = list.slice(at)
  }
  const written = halves.flatMap((half, index) => {
    const style = styles[index] ?? styles[0]
    return Object.keys(half).length === 0
      ? []
      : [[`models/${index}.${style.form}`, writtenIn(style, writtenForm(half as JsonObject))] as const]
  })
  return new Map(written)
}

function hasMark(text = ''): boolean {
  return text.startsWith('\ufeff')
}

it(
  'what was changed by hand is in the files afterwards, in any style, and nothing else differs',
  { timeout: 600_000 },
  async () => {
    const cases = modelArbitrary().chain((model) =>
      fc.record({
        model: fc.constant(model),
        live: mutationArbitrary(model),
        styles: fc.tuple(fileStyleArbitrary(), fileStyleArbitrary()),
        parts: fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 6 }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ({ model, live, styles, parts }) => {
        const files = filesOf(model, styles, parts)
        if (files.size === 0) return
        const cwd = workspace(Object.fromEntries([...files].map(([path, { text }]) => [path, text])))
        // The platform has every type that the files have.
        const types = DOCUMENT_TYPE_NAMES.filter((type) => model[type] !== undefined)
        const platform = new FakePlatform(Object.fromEntries(types.map((type) => [type, live[type] ?? []])))
        platform.isDrifted = true
        const run = (line: string) => holdfast(line, { cwd, platform })
        const before = JSON.parse((await run('plan --format json')).stdout) as { changes: object[] }
        const adopted = await run('adopt --yes --format json')
        const texts = new Map([...files.keys()].map((path) => [path, readFileSync(join(cwd, path), 'utf8')]))
        const isSame = [...files].every(([path, { text }]) => texts.get(path) === text)
        // If the rest depends on a value that is left, nothing is written.
        expect(adopted.code === 0 || (isSame && REFUSED.test(adopted.stdout))).toBe(true)
        if (adopted.code !== 0) return
        const after = JSON.parse((await run('plan --format json')).stdout) as {
          changes: { type: string; key: string }[]
        }
        const { left } = JSON.parse(adopted.stdout) as { left: { type: string; key: string; reason: string }[] }
        const rest = after.changes.map(({ type, key }) => ({ type, key, reason: expect.stringMatching(REFUSED) }))
        // Only a value with an alias, an anchor or comments is left, with the changes that depend on it.
        expect(left).toEqual(expect.arrayContaining(rest))
        expect(left.filter(({ reason }) => !REFUSED.test(reason))).toEqual([])
        expect(before.changes.length > 0 || isSame).toBe(true)
        for (const [path, { text }] of files) expect(hasMark(texts.get(path))).toBe(hasMark(text))
      }),
      { numRuns: runsOf('ADOPT_RUNS', { sample: 60, long: 1_000 }), endOnFailure: true },
    )
  },
)
