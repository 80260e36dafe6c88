import { describe, expect, test } from 'vitest'
import { loadDocument } from '../../src/documents/load.ts'

// `written`: the bytes of a file that can stand for the whole document.

const resolver = { env: () => 'value', file: () => undefined }
const load = (files: { readonly [path: string]: string }) => {
  const sources = Object.entries(files).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }))
  return loadDocument(sources, resolver, { secretFields: new Map() })
}
const JSON_FILE = '{"services": [{"code": "a", "name": "A"}]}'

describe('the document as it is written', () => {
  test('is the one JSON file, and says the same', () => {
    const { written, document } = load({ 'models/a.json': JSON_FILE, 'models/holdfast.yaml': 'protect: []' })
    expect(JSON.parse(new TextDecoder().decode(written ?? new Uint8Array()))).toEqual(document)
  })

  test.each<[why: string, files: { readonly [path: string]: string }]>([
    ['it is YAML', { 'a.yaml': 'services: []' }],
    ['there are several files', { 'a.json': JSON_FILE, 'b.json': '{"users": []}' }],
    ['a reference was resolved', { 'a.json': '{"services": [{"code": "a", "name": "${env:NAME}"}]}' }],
    ['something stands before the object', { 'a.json': `\ufeff${JSON_FILE}` }],
    ['it is wrong', { 'a.json': '{"services": [{"code": "a", "code": "b"}]}' }],
  ])('is not known where %s', (_, files) => {
    expect(load(files).written).toBeNull()
  })
})
