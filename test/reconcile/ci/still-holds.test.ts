import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Plan } from '../../../src/plan/plan.ts'
import { platform, usePlatform } from '../../end-to-end/real-platform.ts'
import { characteristic } from '../sample.ts'
import { holdfast } from '../run-command.ts'
import { workspace } from '../workspace.ts'

// What a merge queue asks: could the plan that was reviewed still be carried out, now that others are merged first?

usePlatform()

const C = characteristic('c')
const SERVICE = { code: 's', name: 'S', characteristics: [] as object[] }

beforeEach(async () => {
  await platform.empty()
  const cwd = workspace({ 'models/a.json': JSON.stringify({ characteristics: [C], services: [SERVICE] }) })
  const { code, stderr } = await holdfast('apply --yes', { cwd, parts: platform.parts })
  if (code !== 0) throw new Error(stderr)
})

/** A directory with plans of these models, as `reviewed.json` and `now.json`. */
async function planned(models: { readonly reviewed: object; readonly now: object }): Promise<string> {
  const cwd = workspace()
  for (const [name, model] of Object.entries(models)) {
    const from = workspace({ 'models/a.json': JSON.stringify(model) })
    const out = join(cwd, `${name}.json`)
    expect(await holdfast(['plan', '--out', out], { cwd: from, parts: platform.parts })).toMatchObject({ code: 0 })
  }
  return cwd
}

function digestIn(cwd: string): string {
  return (JSON.parse(readFileSync(join(cwd, 'reviewed.json'), 'utf8')) as Plan).digest
}

function ask(cwd: string, options = `--expect ${digestIn(cwd)} --reviewed reviewed.json`) {
  return holdfast(`ci still-holds now.json ${options}`, { cwd })
}

const BASE = { characteristics: [C], services: [SERVICE] }
const REVIEWED = { ...BASE, characteristics: [{ ...C, name: 'New' }] }
const LINKED = { ...BASE, services: [{ ...SERVICE, characteristics: [{ code: 'c' }] }] }

describe('a plan that was reviewed', () => {
  it('holds where it is the plan of now', async () => {
    const cwd = await planned({ reviewed: REVIEWED, now: REVIEWED })
    expect(await ask(cwd)).toMatchObject({ code: 0, stdout: 'The plan is the reviewed one.\n' })
  })

  it('holds where others change something else', async () => {
    const now = { ...REVIEWED, services: [{ ...SERVICE, name: 'Other' }] }
    const { code, stdout } = await ask(await planned({ reviewed: REVIEWED, now }))
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('still holds') })
  })

  it('does not hold where others change the same record, which is named', async () => {
    const now = { ...BASE, characteristics: [{ ...C, name: 'New', symbol: 'K' }] }
    const { code, stderr } = await ask(await planned({ reviewed: REVIEWED, now }))
    expect(stderr).toMatch(/^ {2}characteristics\/c: /m)
    expect(code).toBe(1)
  })

  it('does not hold where others change a record that it refers to', async () => {
    const now = { ...LINKED, characteristics: [{ ...C, name: 'Other' }] }
    const { code, stderr } = await ask(await planned({ reviewed: LINKED, now }))
    expect(stderr).toMatch(/^ {2}characteristics\/c: the plan refers to it/m)
    expect(code).toBe(1)
  })

  it('counts only if it is the one of the comment, and nobody has written in it', async () => {
    const cwd = await planned({ reviewed: REVIEWED, now: LINKED })
    const other = await ask(cwd, `--expect sha256:${'0'.repeat(64)} --reviewed reviewed.json`)
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('and the reviewed one was sha256:000') })
    const plan = JSON.parse(readFileSync(join(cwd, 'reviewed.json'), 'utf8')) as Plan
    writeFileSync(join(cwd, 'reviewed.json'), JSON.stringify({ ...plan, changes: [] }))
    expect(await ask(cwd)).toMatchObject({ code: 1, stderr: expect.stringContaining('the plan was altered') })
  })
})

describe('without the whole of it', () => {
  it('the digest has to be the same', async () => {
    const cwd = await planned({ reviewed: REVIEWED, now: LINKED })
    expect(await ask(cwd, `--expect ${digestIn(cwd)}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('let the plan job of the pull request run again'),
    })
  })

  it('nothing has been reviewed, and nothing must be to do', async () => {
    const cwd = await planned({ reviewed: BASE, now: BASE })
    expect(await ask(cwd, '--expect=')).toMatchObject({ code: 0, stdout: 'There is nothing to apply.\n' })
    const changed = await planned({ reviewed: BASE, now: REVIEWED })
    expect(await ask(changed, '--expect=')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nobody has reviewed what it changes'),
    })
  })
})
