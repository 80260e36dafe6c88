import { expect, test } from 'vitest'
import { loadFiles } from './load-files.ts'

// `text()`: what is sent to a platform. It says the same as the values do.

const JSON_FILE = '{"services": [{"code": "a", "name": "A"}, {"code": "°"}]}'
const around = { env: { NAME: 'value "in" quotes' } }

test.each<[what: string, files: { readonly [path: string]: string }]>([
  ['one JSON file', { 'a.json': JSON_FILE, 'holdfast.yaml': 'protect: []' }],
  ['several files', { 'a.json': JSON_FILE, 'b.json': '{"users": [1], "services": []}', 'c.json': JSON_FILE }],
  ['YAML of several documents', { 'a.yaml': 'services: [1, x]\n---\nservices: [{code: y}]\n' }],
  ['a list that is empty everywhere', { 'a.json': '{"services": []}', 'b.yaml': 'services: []' }],
  ['JSON that begins with a byte order mark', { 'a.json': `\ufeff${JSON_FILE}` }],
  ['JSON with unusual numbers', { 'a.json': '{"services": [1.5e3, 0.1234567890123]}' }],
  ['references', { 'a.json': '{"services": [{"code": "a", "name": "${env:NAME}"}]}' }],
  ['references in YAML', { 'a.yaml': 'services: [{code: a, name: "${env:NAME}"}]' }],
  ['secrets', { 'a.json': '{"machineUsers": [{"username": "a", "password": "${env:NAME}"}]}' }],
  ['a file with a mistake beside a good one', { 'a.json': '{"services": [1,]}', 'b.json': JSON_FILE }],
  ['nothing', { 'a.yaml': '' }],
])('%s', (_, files) => {
  const loaded = loadFiles(files, around)
  expect(JSON.parse(Buffer.concat([...loaded.text()]).toString())).toEqual(loaded.document)
})

test('references are in it as what they stand for', () => {
  const loaded = loadFiles({ 'a.json': '{"services": [{"name": "$${x} ${env:NAME}"}]}' }, around)
  expect(Buffer.concat([...loaded.text()]).toString()).toBe(
    String.raw`{"services":[{"name":"${'$'}{x} value \"in\" quotes"}]}`,
  )
})

test('it can be had again', () => {
  const loaded = loadFiles({ 'a.json': JSON_FILE })
  expect([...loaded.text()]).toEqual([...loaded.text()])
})

test('the file of a pointer', () => {
  const loaded = loadFiles({ 'a.json': JSON_FILE, 'b.yaml': 'services: [1]' })
  const pointers = ['/services/1', '/services/2', '/services/2/name', '/services/3', '/users/0', '']
  expect(pointers.map((pointer) => loaded.fileOf(pointer))).toEqual([
    'a.json',
    'b.yaml',
    'b.yaml',
    'a.json',
    undefined,
    undefined,
  ])
})
