import { execFileSync } from 'node:child_process'

/** The commit that a report is of, and whether files differ from it. */
export function commitText(): string {
  const commit = git('rev-parse', '--short=10', 'HEAD')
  // A report is written over that of an earlier run.
  const changed = git('status', '--porcelain', '--', 'src', 'generated', 'package-lock.json')
  return changed === '' ? commit : `${commit} with changes`
}

function git(...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
}
