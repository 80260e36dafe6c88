import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withFile } from '../file-error.ts'
import { writeNew } from '../init/write-new.ts'
import type { Step } from './ensure-rules.ts'

/** The places in which GitHub looks for the file, in this order. The first one counts. */
const PLACES = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'] as const

const COMMENT = '# This file decides what an apply may lose, and who may do what.'

/** Adds the owners of a file at the end, because the last matching line counts. It changes no existing line. */
export async function ensureCodeOwners(root: string, path: string, owners: readonly string[]): Promise<Step> {
  const file = PLACES.find((place) => existsSync(join(root, place))) ?? PLACES[0]
  if (owners.length === 0)
    return { done: 'kept', what: `${file}: say by --owners who must agree to changes of ${path}` }
  const line = `/${path.replaceAll(' ', '\\ ')} ${owners.join(' ')}`
  if (isElsewhere(root, file)) return { done: 'kept', what: `${file}: it is a link; add there: ${line}` }
  if (await writeNew(root, '', { path: file, text: `${COMMENT}\n${line}\n` })) return { done: 'wrote', what: file }
  return withFile('write', file, () => Promise.resolve(addLine(root, file, path, line)))
}

/** Tells whether the file is a link to elsewhere. A repository of others may link to any file of the user. */
function isElsewhere(root: string, file: string): boolean {
  const real = realpathSync(root)
  return [dirname(file), file].some(
    (path) => existsSync(join(root, path)) && realpathSync(join(root, path)) !== join(real, path),
  )
}

function addLine(root: string, file: string, path: string, line: string): Step {
  const text = readFileSync(join(root, file), 'utf8')
  const present = ownersOf(text, path)
  if (present !== null) return { done: 'kept', what: `${file}: ${path} belongs to ${present} already` }
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = text === '' || text.endsWith('\n') ? '' : end
  writeFileSync(join(root, file), `${text}${gap}${COMMENT}${end}${line}${end}`)
  return { done: 'changed', what: `${file}: ${line}` }
}

/** The owners in the line of exactly this file; null if there is no such line, or if a later line may override it. */
function ownersOf(text: string, path: string): string | null {
  const lines = text.split(/\r?\n/).map((line) =>
    line
      .replace(/#.*/, '')
      .trim()
      .split(/(?<!\\)\s+/),
  )
  const last = lines.findLast(([pattern = '']) => pattern !== '' && mayFit(placeIn(pattern), path))
  const isIts = last !== undefined && placeIn(last[0]).replace(/^\//, '') === path
  return isIts ? last.slice(1).join(' ') || 'nobody' : null
}

function placeIn(pattern = ''): string {
  return pattern.replaceAll('\\ ', ' ')
}

/** Tells whether a pattern matches a file or a folder above it. A pattern with wildcards counts as a possible match. */
function mayFit(pattern: string, path: string): boolean {
  if (/[*?[\]]/.test(pattern)) return true
  const place = pattern.replace(/^\//, '').replace(/\/$/, '')
  const isAnywhere = !pattern.startsWith('/') && !place.includes('/')
  return isAnywhere ? path.split('/').includes(place) : path === place || path.startsWith(`${place}/`)
}
