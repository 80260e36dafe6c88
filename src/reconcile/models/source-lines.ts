import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SourceLine } from '../../plan/render/text/text-findings.ts'

/** A name of something secret, even if it is misspelled. */
const SECRET_NAME = /secret|pas+w|token|credential|private/i

/** Reads lines of model files, for a terminal. It shows no line that may have a secret. Paths are relative to `cwd`. */
export function sourceLinesIn(cwd: string): SourceLine {
  const read = new Map<string, { readonly lines: readonly string[]; readonly shown: readonly string[] }>()
  return (file, line) => {
    const { lines, shown } = read.get(file) ?? linesOf(resolve(cwd, file))
    read.set(file, { lines, shown })
    const found = lines[line - 1]
    return found === undefined || found.trim() === '' || shown[line - 1] !== found ? null : found
  }
}

function linesOf(path: string) {
  const lines = readLines(path)
  return { lines, shown: withoutSecrets(lines) }
}

function readLines(path: string): readonly string[] {
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
 * The lines as a terminal may show them. A line is hidden if something secret is named in it, in the line before it that
 * is not blank, or in a line that it is indented below.
 */
export function withoutSecrets(lines: readonly string[]): readonly string[] {
  const around: { readonly indent: number; readonly isSecret: boolean }[] = []
  let isAfter = false
  return lines.map((line) => {
    const indent = line.length - line.trimStart().length
    const isBlank = indent === line.length
    const depth = isBlank ? Infinity : indent
    while ((around.at(-1)?.indent ?? -1) >= depth) around.pop()
    const isBelow = around.at(-1)?.isSecret === true
    if (!isBlank) around.push({ indent, isSecret: isBelow || isNamed(line) })
    const isNext = isAfter
    if (!isBlank) isAfter = isNamed(line)
    const [key = ''] = line.split(':', 1)
    if (isBelow || isNext) return `${line.slice(0, indent)}(secret)`
    if (!isNamed(line)) return line
    return isNamed(key) && key !== line ? `${key}: (secret)` : `${line.slice(0, indent)}(secret)`
  })
}

function isNamed(line: string): boolean {
  return SECRET_NAME.test(line)
}
