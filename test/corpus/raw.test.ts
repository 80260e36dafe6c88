import { expect, test } from 'vitest'
import { loadDocument } from '../../src/documents/read/load.ts'
import type { LoadedDocument } from '../../src/documents/read/loaded-document.ts'
import { readDocument } from '../../src/documents/read/read-document.ts'
import type { Diagnostic } from '../../src/lib/diagnostic.ts'
import { locateDiagnostics } from '../../src/documents/locate-diagnostics.ts'
import { golden } from '../support/golden.ts'
import type { CorpusDocument } from './document.ts'
import { readCorpus } from './frozen.ts'

// Shows the output of a plan for hundreds of devices that a person converted in a hurry.

const { raw } = readCorpus()

test('every kind of mistake is reported, with a place and with what to do', () => {
  const unreadable = filesOf(raw).diagnostics
  const readable = filesOf(withoutNul(raw))
  const found = [...unreadable, ...locateDiagnostics(readDocument(readable.document).diagnostics, readable)]
  const samples = [...Map.groupBy(found, ({ code }) => code).values()].map(sampleOf)
  expect(`${samples.join('\n')}\n`).toBe(golden(new URL('golden/raw.txt', import.meta.url), `${samples.join('\n')}\n`))
})

test('every finding stands in the file that holds the record, on the line of its value', () => {
  const readable = filesOf(withoutNul(raw))
  for (const finding of locateDiagnostics(readDocument(readable.document).diagnostics, readable)) {
    const [, type] = finding.pointer.split('/')
    expect(finding.file).toBe(`models/${type}.json`)
    expect(finding.line).toBeGreaterThan(2)
  }
})

/** One file for each record type, a line for each value. */
function filesOf(document: CorpusDocument): LoadedDocument {
  const encoder = new TextEncoder()
  const files = Object.entries(document).map(([type, records]) => ({
    path: `models/${type}.json`,
    bytes: encoder.encode(JSON.stringify({ [type]: records }, null, 2)),
  }))
  return loadDocument(files, { env: () => undefined, file: () => undefined }, { secretFields: new Map() })
}

function withoutNul(document: CorpusDocument): CorpusDocument {
  return JSON.parse(JSON.stringify(document).replaceAll(String.raw`\u0000`, '')) as CorpusDocument
}

function sampleOf([first, ...more]: readonly Diagnostic[]): string {
  const { file, line, column, severity, code, message, related = [] } = first as Diagnostic
  const places = related.map((place) => `, see ${place.file}:${place.line}:${place.column}`).join('')
  return `${file}:${line}:${column}: ${severity} ${code}: ${message}${places} (and ${more.length} more)`
}
