import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { holdfast } from '../run-command.ts'
import { characteristic, models } from '../sample.ts'
import { workspace } from '../workspace.ts'

const read = (cwd: string) => readFileSync(join(cwd, 'model.ts'), 'utf8')

describe('types --out', () => {
  it('writes the types of the models, and nothing where they are as they were', async () => {
    const cwd = workspace({ 'models/a.json': models('a') })
    const line = 'types --out model.ts'
    expect(await holdfast(line, { cwd })).toMatchObject({ code: 0, stdout: 'wrote model.ts\n', stderr: '' })
    expect(read(cwd)).toMatch(/^\/\/ Written by "holdfast types"\. Do not edit\.\n/)
    expect(read(cwd)).toContain(`  readonly a: { readonly value: number; readonly type: 'MEASUREMENT' }\n`)
    expect(await holdfast(line, { cwd })).toMatchObject({ code: 0, stdout: 'model.ts is up to date\n' })
    expect(await holdfast(`${line} --format json`, { cwd })).toMatchObject({ stdout: '{\n  "written": []\n}\n' })
    expect(readdirSync(cwd).sort()).toEqual(['model.ts', 'models'])
  })

  it('reads the models of another directory', async () => {
    const cwd = workspace({ 'site/a.json': models('other') })
    expect(await holdfast('types --out model.ts --models site', { cwd })).toMatchObject({ code: 0 })
    expect(read(cwd)).toContain('readonly other:')
  })

  it('--check fails where the file is missing or out of date, and writes nothing', async () => {
    const cwd = workspace({ 'site/a.json': models('a') })
    const line = 'types --out model.ts --models site --check'
    const stale = {
      code: 1,
      stderr: 'error: model.ts out of date: run "holdfast types --out model.ts --models site" and commit the result\n',
    }
    expect(await holdfast(line, { cwd })).toMatchObject(stale)
    expect(readdirSync(cwd)).toEqual(['site'])
    await holdfast('types --out model.ts --models site', { cwd })
    expect(await holdfast(line, { cwd })).toMatchObject({ code: 0, stdout: '', stderr: '' })
    writeFileSync(join(cwd, 'site/a.json'), models('b'))
    expect(await holdfast(line, { cwd })).toMatchObject(stale)
    expect(read(cwd)).toContain('readonly a:')
  })

  it.each([
    [
      'a file that it did not write',
      { 'model.ts': 'export {}\n' },
      '--out model.ts exists, and "holdfast types" did not',
    ],
    [
      'a file that only quotes the mark',
      { 'model.ts': 'export {}\n// Written by "holdfast types". Do not edit.\n' },
      '--out model.ts exists, and "holdfast types" did not',
    ],
    ['a directory', { 'model.ts/x': '' }, 'cannot read --out model.ts: it is a directory'],
  ])('does not replace %s', async (_, files, message) => {
    const cwd = workspace({ 'models/a.json': models('a'), ...files })
    const outcome = await holdfast('types --out model.ts', { cwd })
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(outcome.stderr).toContain(message)
  })

  it('needs the directory of the file', async () => {
    const outcome = await holdfast('types --out no/model.ts', { cwd: workspace({ 'models/a.json': models('a') }) })
    expect(outcome).toMatchObject({
      code: 1,
      stderr: 'error: cannot write no/model.ts: its directory does not exist\n',
    })
  })

  it('keeps the file where the models have errors, and names them', async () => {
    const cwd = workspace({ 'models/a.json': models('a') })
    await holdfast('types --out model.ts', { cwd })
    writeFileSync(
      join(cwd, 'models/a.json'),
      JSON.stringify({ characteristics: [characteristic('b', { dataType: 'X' })] }),
    )
    const outcome = await holdfast('types --out model.ts', { cwd })
    expect(outcome.code).toBe(1)
    expect(outcome.stderr).toContain('models/a.json:1:')
    expect(outcome.stderr).toContain('error: the models are not valid, so no types were written')
    expect(read(cwd)).toContain('readonly a:')
  })

  it('writes through a link, and names records that the models only link', async () => {
    const services = [{ code: 's', name: 'S', characteristics: [{ code: 'elsewhere' }] }]
    const cwd = workspace({ 'models/a.json': JSON.stringify({ services }), 'app/old.txt': '' })
    symlinkSync('app/old.txt', join(cwd, 'model.ts'))
    expect(await holdfast('types --out model.ts', { cwd })).toMatchObject({
      code: 0,
      stderr:
        'warning: the models link to records that they do not describe: characteristics/elsewhere. The types of these are unknown\n',
    })
    expect(readFileSync(join(cwd, 'app/old.txt'), 'utf8')).toContain('readonly value: unknown')
  })

  it.each(['types --models x', 'types --watch'])('%s needs it', async (line) => {
    const outcome = await holdfast(line, { cwd: workspace() })
    expect(outcome).toMatchObject({ code: 1, stderr: 'error: --models and --watch need --out FILE\n' })
  })

  it('watches or checks, and not both', async () => {
    const outcome = await holdfast('types --out model.ts --watch --check', { cwd: workspace() })
    expect(outcome).toMatchObject({ code: 1 })
    expect(outcome.stderr).toContain("option '--watch' cannot be used with option '--check'")
  })
})

/** A command that runs until it is interrupted, and the texts that it writes meanwhile. */
function start(line: string, cwd: string) {
  const interruption = new AbortController()
  let written = ''
  let look: (() => void) | undefined
  const outcome = holdfast(line, {
    cwd,
    signal: interruption.signal,
    onWrite(text) {
      written += text
      look?.()
    },
  })
  /** Waits until the command has written a text, and forgets what it wrote until then. */
  const until = (text: string) =>
    new Promise<void>((resolve) => {
      look = () => {
        if (!written.includes(text)) return
        written = ''
        resolve()
      }
      look()
    })
  return { until, outcome, interrupt: () => interruption.abort() }
}

describe('types --watch', () => {
  it('writes the file after each change, keeps it where the models have errors, and ends on Ctrl-C', async () => {
    const cwd = workspace({ 'models/a.json': models('a') })
    const { until, outcome, interrupt } = start('types --out model.ts --watch', cwd)
    await until('wrote model.ts')
    writeFileSync(join(cwd, 'models/a.json'), models('b'))
    await until('wrote model.ts')
    expect(read(cwd)).toContain('readonly b:')
    writeFileSync(join(cwd, 'models/a.json'), '{')
    await until('error: the models are not valid, so no types were written')
    expect(read(cwd)).toContain('readonly b:')
    writeFileSync(join(cwd, 'models/a.json'), models('c'))
    await until('wrote model.ts')
    expect(read(cwd)).toContain('readonly c:')
    interrupt()
    expect(await outcome).toMatchObject({ code: 130 })
  })

  it('sees the files of a directory that replaces the watched one', async () => {
    const cwd = workspace({ 'models/a.json': models('a') })
    const { until, outcome, interrupt } = start('types --out model.ts --watch', cwd)
    await until('wrote model.ts')
    renameSync(join(cwd, 'models'), join(cwd, 'old'))
    await until('error: ')
    mkdirSync(join(cwd, 'models'))
    writeFileSync(join(cwd, 'models/a.json'), models('b'))
    await until('wrote model.ts')
    writeFileSync(join(cwd, 'models/a.json'), models('c'))
    await until('wrote model.ts')
    expect(read(cwd)).toContain('readonly c:')
    interrupt()
    expect(await outcome).toMatchObject({ code: 130 })
  })

  it('sees new and removed files, also in new directories', async () => {
    const cwd = workspace({ 'models/a.json': models('a') })
    const { until, outcome, interrupt } = start('types --out model.ts --watch --format json', cwd)
    await until('{"written":["model.ts"]}')
    mkdirSync(join(cwd, 'models/deep'))
    writeFileSync(join(cwd, 'models/deep/b.json'), models('b'))
    await until('{"written":["model.ts"]}')
    expect(read(cwd)).toContain('readonly b:')
    rmSync(join(cwd, 'models/a.json'))
    await until('{"written":["model.ts"]}')
    expect(read(cwd)).not.toContain('readonly a:')
    interrupt()
    expect(await outcome).toMatchObject({ code: 130 })
  })

  it('needs the directory', async () => {
    const outcome = await holdfast('types --out model.ts --watch', { cwd: workspace() })
    expect(outcome).toMatchObject({ code: 1, stderr: 'error: cannot watch models: it does not exist\n' })
  })
})
