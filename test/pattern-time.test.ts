import { globSync, readFileSync } from 'node:fs'
import { check } from 'recheck'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'
import { golden } from './support/golden.ts'
import { isLong } from './support/runs.ts'

// JavaScript's engine takes quadratic or exponential time for some patterns, so that one text stops a server for minutes.
// recheck tries to find such a text for each pattern of the source, which takes about a second. The patterns that it has
// found safe are in pattern-time.json: `UPDATE_GOLDEN=1` adds new ones, and `npm run test:long` tries all of them again.

/** For patterns that the source makes of parts: what it makes, by file. */
const MADE: { readonly [file: string]: readonly string[] } = {
  'src/server/requests/multipart.ts': [String.raw`/;\s*name="([^"]*)"/i`],
  // The first is only compiled; the second meets one code point.
  'src/records/value-schema/pattern-program.ts': ['/^a$/u', '/^a$/u'],
  'src/records/data-types/timespan.ts': [
    String.raw`/^P(?=[\dT])(\d+(?:[.,]\d+)?Y)?(\d+(?:[.,]\d+)?M)?(\d+(?:[.,]\d+)?W)?(\d+(?:[.,]\d+)?D)?(T(?=\d)(\d+(?:[.,]\d+)?H)?(\d+(?:[.,]\d+)?M)?(\d+(?:[.,]\d+)?S)?)?$/`,
  ],
  'src/console/assets/console.js': ['/(?:^|; )holdfast-zone=([^;]*)/'],
  'src/plan/withhold.ts': [String.raw`/\b(users|machineUsers)\/(.+?)(?=, | and | refers? | is | cannot |[;:)]|$)/gs`],
  'src/platform/imports/history/characteristic-changes.ts': ['/01234567-89ab-4cde|76543210-89ab-4cde/'],
  'src/console/parts/short-text.ts': ['/(?<=^|>)[^<>]{161,}/g', String.raw`/^\s*(?!\s)(?:&#?\w+;|[^&]){160}/u`],
}

/** Patterns for which recheck finds a slow text that never meets them. */
const EXCUSED: { readonly [pattern: string]: string } = {
  [String.raw`/(cannot represent [^:]{0,100}): .*$/s`]: 'each beginning looks at 100 characters',
  [String.raw`/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/uy`]: 'the text has at most 2,000 characters',
  [String.raw`/^remote\.(.+)\.url (.+)$/`]: 'the text is a line of Git’s own configuration',
  [String.raw`/\[ *\][ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*$/`]: 'the text has at most 2,000 characters',
  [String.raw`/[|>][-+0-9]*[ \t]*(?:[ \t]#[^\n]*)?\r?$/`]: 'the text is a line without its line feed',
  [String.raw`/^ *(?:\/\/.*|\/\*\*[^]*?\*\/)$/gm`]: 'the text is a script of the console',
  [String.raw`/\.?0*e\+?/`]: 'the text is a number of at most 25 characters',
}

const patterns = new Set(globSync('src/**/*.{ts,js}', { exclude: ['src/codegen/**'] }).flatMap(patternsIn))

it('no text makes a pattern of the source take more than linear time', { timeout: 3_600_000 }, async () => {
  const file = new URL('pattern-time.json', import.meta.url)
  const known = new Set(JSON.parse(readFileSync(file, 'utf8')) as string[])
  const asked = [...patterns].filter((pattern) => !(pattern in EXCUSED) && (isLong || !known.has(pattern)))
  const slow: string[] = []
  for (const pattern of asked) {
    const found = await slowTextFor(pattern)
    if (found !== null) slow.push(`${pattern} for ${found}`)
  }
  expect(slow).toStrictEqual([])
  const safe = [...patterns].filter((pattern) => !(pattern in EXCUSED)).sort()
  expect(golden(file, `${JSON.stringify(safe, null, 2)}\n`)).toBe(`${JSON.stringify(safe, null, 2)}\n`)
})

it('excuses patterns of the source alone', () => {
  expect(Object.keys(EXCUSED).filter((pattern) => !patterns.has(pattern))).toStrictEqual([])
})

it.each([String.raw`/^\s*(?:&#?\w+;|[^]){160}/u`, String.raw`/\b(users)\/(.+?)(?=, | and |$)/g`])(
  'finds a slow text for %s',
  async (pattern) => expect(await slowTextFor(pattern)).not.toBeNull(),
)

/** A text for which a pattern takes more than linear time, as an expression; null if recheck finds none. */
async function slowTextFor(pattern: string): Promise<string | null> {
  const end = pattern.lastIndexOf('/')
  const { status, ...found } = await check(pattern.slice(1, end), pattern.slice(end + 1), {
    checker: 'fuzz',
    timeout: 60_000,
  })
  if (status === 'safe') return null
  return 'attack' in found ? (found.attack?.pattern ?? status) : status
}

interface Node {
  readonly type?: unknown
  readonly callee?: { readonly name?: string }
  readonly regex?: { readonly pattern: string; readonly flags: string }
}

/** The patterns of a file, as they are written. */
function patternsIn(file: string): string[] {
  const found: string[] = []
  let made = 0
  const tree: unknown = parseAst(readFileSync(file, 'utf8'), { lang: file.endsWith('.ts') ? 'ts' : 'js' })
  visit(tree, ({ type, callee, regex }) => {
    if (type === 'Literal' && regex !== undefined) found.push(`/${regex.pattern}/${regex.flags}`)
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') made += 1
  })
  const examples = MADE[file] ?? []
  if (made !== examples.length) throw new Error(`${file} makes ${made} patterns; MADE has ${examples.length}`)
  return [...found, ...examples]
}

function visit(value: unknown, look: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value) look(value)
  for (const member of Object.values(value)) visit(member, look)
}
