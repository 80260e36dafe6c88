import { expect, test } from 'vitest'
import type { Diagnostic } from '../../src/lib/diagnostic.ts'
import { loadDocument, type DocumentLimits } from '../../src/documents/read/load.ts'
import type { LoadedDocument } from '../../src/documents/read/loaded-document.ts'

const encoder = new TextEncoder()

export interface Surroundings {
  readonly env?: { readonly [name: string]: string }
  readonly files?: { readonly [path: string]: string }
  readonly limits?: Partial<DocumentLimits>
}

/** Loads files given as texts or bytes by path. */
export function loadFiles(
  contents: { readonly [path: string]: string | Uint8Array },
  around: Surroundings = {},
): LoadedDocument {
  const files = Object.entries(contents).map(([path, content]) => {
    return { path, bytes: typeof content === 'string' ? encoder.encode(content) : content }
  })
  const resolver = { env: (name: string) => around.env?.[name], file: (path: string) => around.files?.[path] }
  const secretFields = new Map([['machineUsers', 'password'] as const, ['applicationConsumers', 'secret'] as const])
  return loadDocument(files, resolver, { secretFields, limits: around.limits ?? {} })
}

/** Findings as `validate` prints them. */
export function linesOf({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }): string[] {
  return diagnostics.map(({ file, line, column, severity, code, message }) => {
    const place = file === undefined ? '' : `${file}:${line}:${column}: `
    return `${place}${severity} ${code}: ${message}`
  })
}

/** One bad file each, and what `validate` says about it. */
export function checkBadFiles(
  table: readonly (readonly [path: string, content: string | Uint8Array, ...lines: string[]])[],
): void {
  test.each(table.map(([path, content, ...lines]) => ({ path, content, lines })))(
    '$path',
    ({ path, content, lines }) => {
      expect(linesOf(loadFiles({ [path]: content }))).toEqual(lines)
    },
  )
}
