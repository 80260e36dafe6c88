import type { Diagnostic, Severity, SourcePosition } from '../../lib/diagnostic.ts'
import { decode } from './decode.ts'
import { positionsIn, type LineAndColumn } from '../checks/finding.ts'
import { locateInJson } from '../json/json-positions.ts'
import { isJson, type SourceFile } from './read-file.ts'
import { offsetOf, want, wantedTree, type Wanted } from '../wanted.ts'
import { locateInYaml } from '../yaml/yaml-positions.ts'

/** A value in a file: the index of its document, and its path from the root of that document. */
export interface ValueLocation {
  readonly file: SourceFile
  readonly document: number
  readonly path: readonly string[]
}

/** The file and the document that contain the settings. */
export type SettingsLocation = Omit<ValueLocation, 'path'>

/** A finding about a value of a file. */
export interface FileFinding extends ValueLocation {
  readonly severity: Severity
  readonly code: string
  readonly message: string
  /** The pointer into the merged document; left out for findings about the file itself. */
  readonly pointer?: string
}

/** The positions of `paths`, in the same order. Each file is read only once. */
export function positionsOf(paths: readonly ValueLocation[], maxDepth: number): (SourcePosition | null)[] {
  const positions = paths.map((): SourcePosition | null => null)
  for (const [file, group] of Map.groupBy(paths.entries(), ([, { file }]) => file)) {
    const wanted = group.map(([, path]) => path)
    const found = positionsInFile(file, wanted, maxDepth)
    group.forEach(([index], at) => {
      const position = found[at]
      if (position) positions[index] = { file: file.path, ...position }
    })
  }
  return positions
}

function positionsInFile(
  source: SourceFile,
  paths: readonly ValueLocation[],
  maxDepth: number,
): (LineAndColumn | null)[] {
  const { text } = decode(source.bytes)
  const roots = new Map<number, Wanted>()
  for (const { document, path } of paths) {
    const root = roots.get(document) ?? wantedTree()
    roots.set(document, root)
    want(root, path)
  }
  if (isJson(source)) for (const root of roots.values()) locateInJson(source.bytes, root)
  else locateInYaml(text, maxDepth, roots)
  const positionAt = positionsIn(text)
  return paths.map(({ document, path }) => {
    const root = roots.get(document)
    const offset = root === undefined ? null : offsetOf(root, path)
    return offset === null ? null : positionAt(offset)
  })
}

/** Turns findings into diagnostics with their positions. */
export function locatedDiagnostics(findings: readonly FileFinding[], maxDepth: number): Diagnostic[] {
  if (findings.length === 0) return []
  const positions = positionsOf(findings, maxDepth)
  return findings.map(({ file, severity, code, message, pointer = '' }, index) => {
    const position = positions[index] ?? { file: file.path, line: 1, column: 1 }
    return { severity, code, message, ...position, pointer }
  })
}
