import { readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { targetsOf } from './markdown.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** The documents for users, in the order in which docs/README.md lists them. */
export const PAGES = ['README.md', 'docs/README.md', ...listed('docs/README.md')]

function listed(index: string): string[] {
  const targets = targetsOf(readPage(index)).map((target) => normalize(`docs/${target}`))
  return targets.filter((path) => path.startsWith('docs/') && path.endsWith('.md'))
}

const { scripts } = JSON.parse(readPage('package.json')) as { readonly scripts: { readonly [name: string]: string } }

export const SCRIPTS = scripts

/** The words that a script of npm gives to the command line of Holdfast; null if it is something else. */
export function ownWords(script: string): string[] | null {
  const [, words] = /(?:bin\/holdfast|scripts\/run)\.js ?(.*)$/.exec(SCRIPTS[script] ?? '') ?? []
  return words?.split(' ').filter((word) => word !== '') ?? null
}
