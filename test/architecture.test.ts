import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  findCycle,
  findImpurities,
  findMutualImports,
  findRecordTypeNames,
  findSql,
  findWrongImports,
  parseSource,
  readSources,
} from './support/architecture.ts'

/** A part of src/ imports only parts with a lower number. */
const LEVELS = {
  generated: -1,
  lib: 0,
  'config.ts': 1,
  'types.ts': 1,
  auth: 5,
  records: 10,
  documents: 20,
  datapoints: 20,
  // A plan compares the snapshot that documents make.
  plan: 25,
  db: 30,
  store: 35,
  platform: 40,
  // What a program at a terminal is given, and how it speaks to a platform.
  shell: 41,
  client: 42,
  // What app developers install. It also runs in browsers.
  'api-client': 43,
  simulate: 45,
  server: 50,
  reconcile: 50,
  // Pages for people, which the server is given.
  console: 51,
  // It writes down what all the others declare.
  codegen: 55,
  'serve.ts': 60,
  // The command line can also start the server.
  'cli.ts': 70,
}

const PURE = /^src\/(lib|records|documents|plan|datapoints|auth)\//

/** Where record types are declared; everything else is generic. */
const NAMES_RECORD_TYPES = /^src\/records\/(record-type\.ts$|types\/)/

/** What names a record type elsewhere in src/, and why it may. */
const NAMES_ALLOWED = new Map([['src/store/datapoints/points/impact.ts names users', 'counts that kind of impact']])

function breach(path: string, text: string): string[] {
  return findWrongImports(parseSource(path, text), LEVELS)
}

const sources = readSources('src')
const projectFiles = ['src', 'test', 'bench', 'scripts'].flatMap(readSources)

it('every part imports only parts below it', () => {
  expect(sources.flatMap((source) => findWrongImports(source, LEVELS))).toStrictEqual([])
})

it('no two sub-folders import each other', () => {
  expect(findMutualImports(sources)).toStrictEqual([])
})

it('src/README.md lists the parts in the order in which they import each other', () => {
  const table = readFileSync('src/README.md', 'utf8').matchAll(/^\| (`src\/.*?) +\|/gm)
  const parts = Array.from(table).flatMap(([, cell = '']) =>
    Array.from(cell.matchAll(/`src\/([\w-]+)\//g), ([, name]) => name),
  )
  const levels = parts.map((name) => Object.entries(LEVELS).find(([part]) => part === name)?.[1] ?? NaN)
  expect(levels.length).toBeGreaterThan(10)
  expect(levels).toStrictEqual(levels.toSorted((one, other) => one - other))
})

it('every decision, page and file that a comment names is there', () => {
  const decisions = new Set(readdirSync('docs/decisions').map((name) => name.slice(0, 'NNNN'.length)))
  const missing = projectFiles.flatMap(({ path, text }) => [
    ...Array.from(text.matchAll(/docs\/decisions\/(\d{4})/g), ([, number = '']) => number)
      .filter((number) => !decisions.has(number))
      .map((number) => `${path} names the decision ${number}`),
    ...Array.from(
      text.matchAll(/^ *(?:\/\/|\*|\/\*\*).*?(?<![\w/])((?:src|test|docs)\/[\w/-]+\.(?:ts|md|sql))/gm),
      ([, name = '']) => name,
    )
      .filter((name) => !existsSync(name))
      .map((name) => `${path} names ${name}`),
  ])
  expect(missing).toStrictEqual([])
})

it('no file imports itself by way of others', () => {
  expect(findCycle(sources)).toBeUndefined()
})

it('pure parts are pure', () => {
  expect(sources.filter(({ path }) => PURE.test(path)).flatMap(findImpurities)).toStrictEqual([])
})

it('generic parts name no record type', () => {
  const named = sources.filter(({ path }) => !NAMES_RECORD_TYPES.test(path)).flatMap(findRecordTypeNames)
  expect(named.filter((what) => !NAMES_ALLOWED.has(what))).toStrictEqual([])
})

it('SQL is in store and db', () => {
  const others = sources.filter(({ path }) => !/^src\/(store|db)\//.test(path))
  expect(others.flatMap(findSql)).toStrictEqual([])
})

/** What is written for nobody, or for somebody who signs in, signs out or has a link. */
const NEEDS_NO_RIGHT = [
  'access/accounts/accounts.ts',
  'access/accounts/bootstrap.ts',
  'access/accounts/password-links.ts',
  'access/delegated/identity/browser-sign-in.ts',
  'access/delegated/identity/external-identity.ts',
  'access/delegated/identity/refused-identities.ts',
  'access/keys/signing-keys.ts',
  'access/methods/methods.ts',
  'access/sessions/guessing.ts',
  'access/sessions/session-in-use.ts',
  'access/sessions/sessions.ts',
  'access/sessions/store-provider-token.ts',
  'access/sessions/sweep.ts',
  'changes/outbox.ts',
  'datapoints/ingest/count-arrivals.ts',
  // The flush that stores the points looks at the rights.
  'datapoints/ingest/sent-before.ts',
  'datapoints/series/resolve-series.ts',
  // These read under a lock.
  'datapoints/reading/stored/read-points.ts',
  'datapoints/reading/stored/stored-point-reader.ts',
  'datapoints/redefining/look-first.ts',
  'datapoints/refused/refused-datapoints.ts',
  'datapoints/retention/expire-blocks.ts',
  'datapoints/retention/expire.ts',
]

it('what somebody asks for is refused where they have lost the right before it is written', () => {
  const writing = sources.filter(
    ({ path, code }) => path.startsWith('src/platform/') && /\bwrite(Domain|Data|Access)\(/.test(code),
  )
  const expected = [...NEEDS_NO_RIGHT, 'change-domain.ts'].map((path) => `src/platform/${path}`)
  expect(writing.map(({ path }) => path).sort()).toStrictEqual(expected.sort())
})

it('no file is longer than 300 lines', () => {
  const long = projectFiles.filter(({ lines }) => lines > 300)
  expect(long.map(({ path, lines }) => `${path}: ${lines} lines`)).toStrictEqual([])
})

/** `value as Type`, and not an import under another name. */
const ASSERTION = /[\w)\]}'] as (?!const\b)(?![^'\n]*\bfrom ')/

it('each exception of the linter is of files that there are, and that assert a type', () => {
  const text = readFileSync(new URL('../.oxlintrc.json', import.meta.url), 'utf8')
  const { overrides } = JSON.parse(text.replaceAll(/^ *\/\/.*$/gm, '')) as { overrides: { files: string[] }[] }
  const [, exceptions = { files: [] }] = overrides
  expect(exceptions.files.length).toBeGreaterThan(10)
  const asserting = new Set(sources.filter(({ code }) => ASSERTION.test(code)).map(({ path }) => path))
  // Some patterns stand for several files, each of which has to be there.
  expect(exceptions.files.flatMap(alternatives).filter((path) => !asserting.has(path))).toStrictEqual([])
})

/** `a/{b,c/{d,e}}.ts` as `a/b.ts`, `a/c/d.ts` and `a/c/e.ts`. */
function alternatives(pattern: string): string[] {
  const [whole, choices = ''] = /\{([^{}]*)\}/.exec(pattern) ?? []
  if (whole === undefined) return [pattern]
  return choices.split(',').flatMap((choice) => alternatives(pattern.replace(whole, choice)))
}

describe('the checks above find', () => {
  it.each([
    ['an import from above', 'src/plan/a.ts', `import { b } from '../store/b.ts'`],
    ['an import of types from above', 'src/lib/a.ts', `import type { B } from '../records/b.ts'`],
    ['an import of a neighbour', 'src/server/a.ts', `export { b } from '../reconcile/b.ts'`],
    ['an import on demand', 'src/reconcile/a.ts', `await import('../server/b.ts')`],
    ['an import of a test', 'src/cli.ts', `import './support/b.ts'`],
    ['a part without a level', 'src/utils/a.ts', ''],
  ])('%s', (_, path, text) => {
    expect(breach(path, text)).toHaveLength(1)
  })

  it('nothing in what is allowed', () => {
    expect(
      breach('src/store/a.ts', `import pg from 'pg'\nimport { b } from '../db/b.ts'\n// from '../server/c.ts'`),
    ).toStrictEqual([])
  })

  it('a cycle', () => {
    const [a, b] = [parseSource('src/lib/a.ts', `import './b.ts'`), parseSource('src/lib/b.ts', `import './a.ts'`)]
    expect(findCycle([a, b])).toStrictEqual(['src/lib/a.ts', 'src/lib/b.ts', 'src/lib/a.ts'])
  })

  it('sub-folders that import each other', () => {
    const [one, other] = ['src/plan/a/b.ts', 'src/plan/c/d.ts']
    const back = [parseSource(one, `import '../c/d.ts'`), parseSource(other, `import '../a/b.ts'`)]
    expect(findMutualImports(back)).toStrictEqual(['src/plan/a and src/plan/c'])
    expect(findMutualImports([parseSource(one, `import '../c/d.ts'\nimport '../e.ts'`)])).toStrictEqual([])
  })

  it.each([`import 'node:fs'`, 'Date.now()', 'new Date()', 'Math.random()', 'process.env', 'randomUUID()'])(
    '%s',
    (text) => {
      expect(findImpurities(parseSource('src/lib/a.ts', text))).toHaveLength(1)
    },
  )

  it('a record type, and a statement', () => {
    expect(findRecordTypeNames(parseSource('src/plan/a.ts', `if (type === 'services') f()`))).toHaveLength(1)
    expect(findSql(parseSource('src/platform/a.ts', 'sql.query(`SELECT a\n FROM b`)'))).toHaveLength(1)
  })
})
