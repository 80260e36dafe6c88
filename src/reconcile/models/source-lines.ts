import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SourceLine } from '../../plan/render/text/text-findings.ts'

/** A name of something secret, even if it is misspelled. */
const SECRET_NAME = /secret|pas+w|token|credential|private/i

/**
 * Reads lines of model files, for a terminal. It never shows a line that may contain a secret. Paths are relative to
 * `cwd`.
 */
export function sourceLinesIn(cwd: string): SourceLine {
  const read = new Map<string, readonly string[]>()
  return (file, line) => {
    const lines = read.get(file) ?? linesOf(resolve(cwd, file))
    read.set(file, lines)
    const found = lines[line - 1]
    return found === undefined || found.trim() === '' || mayBeSecret(lines, line - 1) ? null : found
  }
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r\n|\r|\n/)
  } catch {
    // Another finding reports why the file cannot be read.
    return []
  }
}

/**
 * Tells whether something secret is named in a line, in the line before it, or in a line that it is indented below.
 */
function mayBeSecret(lines: readonly string[], index: number): boolean {
  if (isNamed(lines[index]) || isNamed(lines[index - 1])) return true
  let indent = indentOf(lines[index])
  for (let above = index - 1; above >= 0 && indent > 0; above--) {
    if (lines[above]?.trim() === '' || indentOf(lines[above]) >= indent) continue
    if (isNamed(lines[above])) return true
    indent = indentOf(lines[above])
  }
  return false
}

function isNamed(line = ''): boolean {
  return SECRET_NAME.test(line)
}

function indentOf(line = ''): number {
  return line.length - line.trimStart().length
}
