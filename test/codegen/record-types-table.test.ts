import { expect, test } from 'vitest'
import { recordTypesTable } from '../../src/codegen/record-types-table.ts'
import { IMPORT_DOCUMENT_SCHEMA, listedDefinitions } from '../../src/codegen/schemas.ts'

const text = await recordTypesTable.emit()

test('a row says the type, whether it is required, the default and the meaning of a field', () => {
  expect(text).toContain(
    '| `eventLevel` | [EventLevel](#eventlevel), default `"INFO"` | How serious the event is. Left out: INFO. |',
  )
  expect(text).toContain('| `redirectUris` | array of string (uri) or null | ')
  expect(text).toContain('| `code` | string, **required** | Identifies the data source in the domain.')
})

test.each(listedDefinitions(IMPORT_DOCUMENT_SCHEMA))('%s has a section with all fields', (key, definition) => {
  const section = text.split(`\n## ${key}\n`)[1]?.split('\n## ')[0]
  const fields = Object.keys(IMPORT_DOCUMENT_SCHEMA.$defs?.[definition]?.properties ?? {})
  expect([...(section ?? '').matchAll(/^\| `(\w+)`/gm)].map(([, field]) => field)).toEqual(fields)
})

test('every link has its heading', () => {
  const headings = new Set([...text.matchAll(/^##+ (.+)$/gm)].map(([, heading]) => heading?.toLowerCase()))
  const targets = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, target]) => target)
  expect(targets.filter((target) => !headings.has(target))).toEqual([])
})
