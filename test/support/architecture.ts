import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DOCUMENT_TYPE_NAMES } from '../../src/records/record-type.ts'

// The checks of test/architecture.test.ts. Imports are found by a pattern, because prettier writes them all in one
// way.

export interface Source {
  /** The path from the root of the project, e.g. `src/plan/compare/compare-digests.ts`. */
  readonly path: string
  readonly lines: number
  readonly text: string
  /** The code without comments, because comments may name things that the code must not use. */
  readonly code: string
  readonly imports: readonly string[]
}

export function readSources(folder: string): Source[] {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  if (!existsSync(`${root}${folder}`)) return []
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts'))
    .map((path) => parseSource(path, readFileSync(`${root}${path}`, 'utf8')))
}

export function parseSource(path: string, text: string): Source {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1')
  const names = Array.from(code.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g), ([, name]) => name ?? '')
  const imports = names.map((name) => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name))
  return { path, lines: text.split('\n').length - 1, text, code, imports }
}

/** `src/plan/compare/compare-digests.ts` is part of `plan`, `src/cli.ts` of `cli.ts`. */
function partOf(path: string): string {
  return path.startsWith('src/') ? (path.split('/')[1] ?? path) : (path.split('/')[0] ?? path)
}

/** A part imports itself and parts of lower levels. */
export function findWrongImports({ path, imports }: Source, levels: { readonly [part: string]: number }): string[] {
  const own = partOf(path)
  const level = levels[own]
  if (level === undefined) return [`${path}: ${own} has no level; add it to the table`]
  return imports
    .filter((name) => !isPackage(name) && partOf(name) !== own && (levels[partOf(name)] ?? Infinity) >= level)
    .map((name) => `${path} must not import ${name}`)
}

function isPackage(name: string): boolean {
  return !/^(src|test|bench|generated|scripts)\//.test(name)
}

/** `src/plan/compare/moves.ts` is in the sub-folder `src/plan/compare`. Files next to the sub-folders are in none. */
function subFolderOf(path: string): string | undefined {
  return /^src\/[^/]+\/[^/]+(?=\/)/.exec(path)?.[0]
}

/** Pairs of sub-folders that import each other. */
export function findMutualImports(sources: readonly Source[]): string[] {
  const pairs = sources.flatMap(({ path, imports }) =>
    imports.map((name) => [subFolderOf(path), subFolderOf(name)] as const),
  )
  const between = new Set(pairs.flatMap(([from, to]) => (from && to && from !== to ? [`${from} ${to}`] : [])))
  return [...between]
    .map((pair) => pair.split(' '))
    .filter(([from = '', to = '']) => from < to && between.has(`${to} ${from}`))
    .map(([from, to]) => `${from} and ${to}`)
    .sort()
}

/** A chain of imports that leads back to its beginning, if there is one. */
export function findCycle(sources: readonly Source[]): string[] | undefined {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (done.has(path)) return undefined
    for (const name of byPath.get(path)?.imports ?? []) {
      const cycle = visit(name, [...trail, path])
      if (cycle !== undefined) return cycle
    }
    done.add(path)
    return undefined
  }
  return sources.map(({ path }) => visit(path, [])).find((cycle) => cycle !== undefined)
}

// The other modules of Node (crypto for hashes, util) can be used purely. Their randomness is checked below.
const IMPURE_IMPORT =
  /^node:(fs|net|tls|dgram|dns|http|https|http2|child_process|cluster|worker_threads|process|os|timers|readline|sqlite)\b/
const IMPURE_CODE =
  /\b(Date\.now|Math\.random|process\.|performance\.|console\.|fetch\(|set(?:Timeout|Interval|Immediate)|random(?:UUID|Bytes|Int|FillSync)|getRandomValues)|\bnew Date\(\s*\)/

/** Uses of files, network, clock, randomness, environment or output. */
export function findImpurities({ path, imports, code }: Source): string[] {
  const used = [...imports.filter((name) => IMPURE_IMPORT.test(name)), IMPURE_CODE.exec(code)?.[0]]
  return used.filter((what) => what !== undefined).map((what) => `${path} uses ${what}`)
}

const TYPE_NAME = new RegExp(`['"\`](${DOCUMENT_TYPE_NAMES.join('|')})['"\`]`, 'g')

export function findRecordTypeNames({ path, code }: Source): string[] {
  return Array.from(code.matchAll(TYPE_NAME), ([, name]) => `${path} names ${name}`)
}

const STATEMENT =
  /['"`]\s*(?:select\s[^'"`]*\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|create\s+(?:table|index)\s|with\s+\w+\s+as\s*\()/i

export function findSql({ path, code }: Source): string[] {
  const found = STATEMENT.exec(code)
  return found === null ? [] : [`${path} holds a statement: ${found[0].slice(0, 60)}`]
}
