import type { Diagnostic, Severity, SourcePosition } from '../../lib/diagnostic.ts'
import { decode } from './decode.ts'
import { placesIn, type LineAndColumn } from '../checks/finding.ts'
import { locateInJson } from '../json/json-positions.ts'
import { isJson, type SourceFile } from './read-file.ts'
import { placeOf, want, wantedTree, type Wanted } from '../wanted.ts'
import { locateInYaml } from '../yaml/yaml-positions.ts'

/** A value in a file: the index of its document, and its path from the root of that document. */
export interface FilePath {
  readonly file: SourceFile
  readonly document: number
  readonly path: readonly string[]
}

/** The file and the document that contain the settings. */
export type SettingsPlace = Omit<FilePath, 'path'>

/** A finding about a value of a file. */
export interface FileFinding extends FilePath {
  readonly severity: Severity
  readonly code: string
  readonly message: string
  /** The pointer into the merged document; left out for findings about the file itself. */
  readonly pointer?: string
}

/** The positions of `paths`, in the same order. Each file is read once, however many positions are asked for. */
export function placesOf(paths: readonly FilePath[], maxDepth: number): (SourcePosition | null)[] {
  const places = paths.map((): SourcePosition | null => null)
  const indices = paths.map((_, index) => index)
  for (const [file, group] of Map.groupBy(indices, (index) => (paths[index] as FilePath).file)) {
    const found = placesInFile(
      file,
      group.map((index) => paths[index] as FilePath),
      maxDepth,
    )
    group.forEach((index, at) => {
      const place = found[at]
      if (place) places[index] = { file: file.path, ...place }
    })
  }
  return places
}

function placesInFile(source: SourceFile, paths: readonly FilePath[], maxDepth: number): (LineAndColumn | null)[] {
  const { text } = decode(source.bytes)
  const roots = new Map<number, Wanted>()
  for (const { document, path } of paths) {
    const root = roots.get(document) ?? wantedTree()
    roots.set(document, root)
    want(root, path)
  }
  if (isJson(source)) for (const root of roots.values()) locateInJson(source.bytes, root)
  else locateInYaml(text, maxDepth, roots)
  const place = placesIn(text)
  return paths.map(({ document, path }) => {
    const root = roots.get(document)
    const offset = root === undefined ? null : placeOf(root, path)
    return offset === null ? null : place(offset)
  })
}

/** Turns findings into diagnostics with their positions. */
export function locatedDiagnostics(findings: readonly FileFinding[], maxDepth: number): Diagnostic[] {
  if (findings.length === 0) return []
  const places = placesOf(findings, maxDepth)
  return findings.map(({ file, severity, code, message, pointer = '' }, index) => {
    const place = places[index] ?? { file: file.path, line: 1, column: 1 }
    return { severity, code, message, ...place, pointer }
  })
}
