import { chmodSync, lstatSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MOST_ADOPTED } from '../../../src/reconcile/adopt/adoptions.ts'
import { characteristic, models } from '../sample.ts'
import { drifted, TEXT } from './drifted.ts'

const ADOPTED = TEXT.replace('FLOAT\n', 'FLOAT\n    symbol: K\n').replace(
  / {2}- \{ code: b.*\n/,
  '  - code: c\n    name: C\n    characteristicType: MEASUREMENT\n    dataType: FLOAT\n',
)

describe('the changes', () => {
  it('are shown with their lines, and written after a yes', async () => {
    const { run, read } = drifted()
    const done = await run('adopt', { answer: 'y' })
    expect(done).toMatchObject({ code: 0, questions: ['Write this? [y/N] '] })
    expect(done.stdout).toBe(`Adopt 3 changes made on .holdfast into 1 file
  ~ characteristics/a: symbol
  - characteristics/b
  + characteristics/c

models/a.yaml:5
+     symbol: K
+   - code: c
+     name: C
+     characteristicType: MEASUREMENT
+     dataType: FLOAT
models/a.yaml:6
-   - { code: b, name: B, characteristicType: MEASUREMENT, dataType: FLOAT }
wrote models/a.yaml
`)
    expect(read()).toBe(ADOPTED)
  })

  it.each([
    ['adopt', { answer: 'n' }, 1],
    ['adopt --dry-run', {}, 0],
    ['adopt --dry-run --yes', {}, 0],
  ])('are not written by %s with %j', async (line, more, code) => {
    const { run, read } = drifted()
    expect(await run(line, more)).toMatchObject({ code, stdout: expect.stringMatching(/\nNothing was written\.\n$/) })
    expect(read()).toBe(TEXT)
  })

  it('are JSON for a program, and the lines then are on standard error', async () => {
    const { run } = drifted()
    const { stdout, stderr } = await run('adopt --format json --dry-run')
    expect(stderr).toContain('+     symbol: K')
    expect(JSON.parse(stdout)).toEqual({
      outcome: 'previewed',
      adopted: [
        { type: 'characteristics', key: 'a', action: 'change', fields: ['symbol'] },
        { type: 'characteristics', key: 'b', action: 'remove', fields: [] },
        { type: 'characteristics', key: 'c', action: 'add', fields: [] },
      ],
      left: [],
      files: ['models/a.yaml'],
    })
    expect(await run('adopt --yes --format json')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('"outcome": "adopted"'),
    })
  })

  it.each([
    ['characteristics/a', TEXT.replace('FLOAT\n', 'FLOAT\n    symbol: K\n')],
    ['--field symbol', TEXT.replace('FLOAT\n', 'FLOAT\n    symbol: K\n')],
    ['characteristics characteristics/b characteristics/c --field symbol', ADOPTED],
    ['services', TEXT],
  ])('are only those of %s', async (words, text) => {
    const { run, read } = drifted()
    expect(await run(`adopt ${words} --yes`)).toMatchObject({ code: 0 })
    expect(read()).toBe(text)
  })

  it('are shown without the ends of lines of Windows', async () => {
    const { run } = drifted({ 'models/a.yaml': TEXT.replaceAll('\n', '\r\n') })
    expect((await run('adopt --dry-run')).stdout).not.toMatch(/\r|\\r/)
  })

  it('of fields that the files leave open are written, too', async () => {
    const { platform, run, read } = drifted(undefined, [characteristic('a', { precision: 2 }), characteristic('b')])
    platform.drift = [{ type: 'characteristics', key: 'a', field: 'precision', before: null, after: 2, actor: 'grace' }]
    // The platform forgets the drift when the files name the field.
    const plan = platform.drift
    const fetch = platform.fetch
    platform.fetch = (request) => {
      if (platform.callsOf('planImport').length === 1) platform.drift = []
      return fetch(request)
    }
    expect(plan).toHaveLength(1)
    expect(await run('adopt --yes')).toMatchObject({ code: 0 })
    expect(read()).toBe(TEXT.replace('FLOAT\n', 'FLOAT\n    precision: 2\n'))
  })
})

it('a value that refers to a variable stays, and is named', async () => {
  const text = TEXT.replace('name: A', 'name: "${env:SITE} A"')
  const live = [characteristic('a', { name: 'Berlin A' }), characteristic('b', { symbol: 'm' })]
  const { run, read } = drifted({ 'models/a.yaml': text }, live)
  const { code, stdout } = await run('adopt --yes', { env: { SITE: 'Bonn' } })
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('  characteristics/a: its value refers to a variable or a file'),
  })
  expect(read()).toBe(text.replace('FLOAT }', 'FLOAT, symbol: m }'))
})

describe('nothing is written', () => {
  it.each([
    ['adopt', 'there is no terminal to ask for consent; give --yes, or --dry-run'],
    ['adopt characteristics/d --yes', 'nobody has changed characteristics/d on the platform since the last apply'],
    [
      'adopt characteristic/a --yes',
      '"characteristic/a" names no record: write type/key, or a type alone. Did you mean',
    ],
    ['adopt --field symbolz --yes', '"symbolz" is a field of no record type. Did you mean "symbol"?'],
  ])('by %s', async (line, message) => {
    const { run, read } = drifted()
    expect(await run(line)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) })
    expect(read()).toBe(TEXT)
  })

  it('where the models have errors', async () => {
    const { run } = drifted({ 'models/a.yaml': TEXT, 'models/b.yaml': 'users: [{ email: 7 }]\n' })
    expect((await run('adopt --yes')).stderr).toContain('models/b.yaml:1:')
  })

  it('where the files were changed meanwhile', async () => {
    const { cwd, platform, run, read } = drifted()
    const fetch = platform.fetch
    platform.fetch = (request) => {
      writeFileSync(join(cwd, 'models/a.yaml'), `${TEXT}# saved\n`)
      return fetch(request)
    }
    expect((await run('adopt --yes')).stderr).toContain(
      'models/a.yaml was changed in the meantime; nothing was written',
    )
    expect(read()).toBe(`${TEXT}# saved\n`)
  })

  it('where the platform was changed meanwhile', async () => {
    const { platform, run, read } = drifted()
    const fetch = platform.fetch
    platform.fetch = (request) => {
      if (platform.callsOf('planImport').length === 1)
        platform.live = { characteristics: [characteristic('a', { symbol: 'm' }), characteristic('c')] }
      return fetch(request)
    }
    const { code, stderr } = await run('adopt --yes')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('the plan would still differ') })
    expect(stderr).toContain('characteristics/a')
    expect(read()).toBe(TEXT)
  })

  it('where one of the files cannot be', async () => {
    const long = `models/deep/${'b'.repeat(250)}.json`
    const { run, read } = drifted({ 'models/a.yaml': TEXT, [long]: models('x') })
    expect((await run('adopt --yes')).stderr).toContain(`cannot write ${long}: its name is too long`)
    expect(read()).toBe(TEXT)
  })

  it('into a read-only file', async () => {
    const { cwd, run, read } = drifted()
    chmodSync(join(cwd, 'models/a.yaml'), 0o444)
    expect((await run('adopt --yes')).stderr).toContain('cannot write models/a.yaml: permission is denied')
    expect(read()).toBe(TEXT)
  })

  it('for more changes than one run adopts', async () => {
    const many = Array.from({ length: MOST_ADOPTED + 1 }, (_, index) => characteristic(`n${index}`))
    const { run } = drifted(undefined, many)
    expect((await run('adopt --yes')).stderr).toContain(
      'one run adopts at most 10000; name the record types to begin with',
    )
  })
})

it('a file keeps its rights, its byte order mark and the link that leads to it', async () => {
  const { cwd, run, read } = drifted({ 'shared/a.yaml': `\ufeff${TEXT}`, 'models/holdfast.yaml': '' })
  chmodSync(join(cwd, 'shared/a.yaml'), 0o662)
  symlinkSync('../shared/a.yaml', join(cwd, 'models/a.yaml'))
  expect(await run('adopt --yes')).toMatchObject({ code: 0 })
  expect(lstatSync(join(cwd, 'models/a.yaml')).isSymbolicLink()).toBe(true)
  expect(statSync(join(cwd, 'shared/a.yaml')).mode & 0o777).toBe(0o662)
  expect(read('shared/a.yaml')).toBe(`\ufeff${ADOPTED}`)
})

it('a change that cannot be written safely is named with its line, and the others are adopted', async () => {
  const shared = TEXT.replace('name: A', 'name: &n A').replace('name: B', 'name: *n')
  const live = [characteristic('a', { name: 'New' }), characteristic('b', { name: 'A', symbol: 'm' })]
  const { run, read } = drifted({ 'models/a.yaml': shared }, live)
  const { code, stdout } = await run('adopt --yes')
  expect(code).toBe(0)
  expect(stdout).toContain('Not adopted:\n  characteristics/a: models/a.yaml:3:14: other places repeat this by *n')
  expect(read()).toBe(shared.replace('dataType: FLOAT }', 'dataType: FLOAT, symbol: m }'))
})

const linked = (links: string, top: string) => `services:
  - { code: s, name: S, characteristics: [${links}] } # both
characteristicServiceLinks:
${top}  - { characteristicCode: a, serviceCode: s }
`

it('a link goes from every place that has it, and comes to where its owner has the others', async () => {
  const links = linked('{ code: a }, { code: b }', '  - { serviceCode: s, characteristicCode: b }\n')
  const { platform, run, read } = drifted({ 'models/a.yaml': models('a', 'b', 'c'), 'models/links.yaml': links }, [])
  platform.live = {
    characteristics: ['a', 'b', 'c'].map((code) => characteristic(code)),
    services: [{ code: 's', name: 'S' }],
    characteristicServiceLinks: ['a', 'c'].map((code) => ({ characteristicCode: code, serviceCode: 's' })),
  }
  expect(await run('adopt --yes')).toMatchObject({ code: 0 })
  expect(read('models/links.yaml')).toBe(linked('{ code: a }, { code: c }', ''))
})

it('a deleted record takes along what is written inside, unless somebody works on that', async () => {
  const text = 'services:\n  - { code: s, name: S, characteristics: [{ code: a }] }\n'
  const { platform, run, read } = drifted({ 'models/a.yaml': models('a'), 'models/b.yaml': text }, [])
  platform.live = { characteristics: [characteristic('a')], services: [], characteristicServiceLinks: [] }
  const { fetch } = platform
  platform.fetch = async (request) => {
    const answer = await (await fetch(request)).text()
    // The link is new in the files.
    return new Response(
      answer.replaceAll('"key":"a/s","action":"create","cause":"drift"', '"key":"a/s","action":"create","cause":"you"'),
    )
  }
  expect(await run('adopt services/s --yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('  services/s: the files describe records inside of it that nobody deleted'),
  })
  expect(read('models/b.yaml')).toBe(text)
  platform.fetch = fetch
  expect(await run('adopt services/s --yes')).toMatchObject({ code: 0 })
  expect(read('models/b.yaml')).toBe('services: []\n')
})

it('a new list has no members with their default value', async () => {
  const options = [
    { key: 'one', label: 'One', meta: [] },
    { key: 'two', label: 'Two', meta: [] },
  ]
  const { run, read } = drifted(undefined, [
    characteristic('a'),
    characteristic('b'),
    { ...characteristic('c'), dataType: 'SELECT', options },
  ])
  expect(await run('adopt --yes')).toMatchObject({ code: 0 })
  expect(read()).toContain('options: [{ key: one, label: One }, { key: two, label: Two }] }')
})

it('a new record goes into the file with most of its type, and into its place if the list is sorted', async () => {
  const files = { 'models/one.json': models('x'), 'models/many.json': models('a', 'd') }
  const { run, read } = drifted(
    files,
    ['x', 'a', 'b', 'd'].map((code) => characteristic(code)),
  )
  expect(await run('adopt --yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('wrote models/many.json\n'),
  })
  expect(read('models/many.json')).toBe(models('a', 'b', 'd'))
})
