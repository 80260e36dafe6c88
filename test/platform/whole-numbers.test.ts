import { expect, test } from 'vitest'
import { compileRules } from '../../src/records/data-types/data-type.ts'
import type { Json, JsonObject } from '../../src/lib/json.ts'
import { exportDocument } from '../../src/platform/imports/export-document.ts'
import { documentYaml } from '../../src/documents/write/document-yaml.ts'
import { linesOf, loadFiles } from '../documents/load-files.ts'
import { applyAll, plan } from '../support/domain.ts'
import { changeOf, storedRecord } from '../support/plan-parts.ts'
import { oneDomain } from './one-domain.ts'

// Objects of LwM2M have resources of 64 bits, with and without sign. Their limits must be the same numbers everywhere.

const domain = oneDomain()

const SIGNED = '9223372036854775807'
const UNSIGNED = '18446744073709551615'

const yaml = (max: string) => `characteristics:
  - { code: counter, name: Counter, characteristicType: MEASUREMENT, dataType: INTEGER, boundaryMin: 0, boundaryMax: ${max} }
`
const json = (max: string) =>
  `{"characteristics": [{"code": "counter", "name": "Counter", "characteristicType": "MEASUREMENT", "dataType": "INTEGER", "boundaryMin": 0, "boundaryMax": ${max}}]}`

function read(path: string, text: string): JsonObject {
  const loaded = loadFiles({ [path]: text })
  expect(linesOf(loaded)).toEqual([])
  return loaded.document
}

test.each([SIGNED, UNSIGNED, '9007199254740993'])(
  '%s as a boundary is the same number in every spelling',
  async (max) => {
    await applyAll(domain(), read('a.yaml', yaml(max)))
    expect((await storedRecord(domain(), 'characteristics', 'counter')).body).toMatchObject({
      boundaryMin: 0,
      boundaryMax: max,
    })
    const hex = `0x${BigInt(max).toString(16)}`
    const spellings = [yaml(`"${max}"`), yaml(hex), yaml(max).replace(': 0,', ': "0",')].map((text) =>
      read('b.yaml', text),
    )
    for (const document of [...spellings, read('c.json', json(max)), read('d.json', json(`"${max}"`))]) {
      expect((await plan(domain(), document)).changes).toEqual([])
    }
    const exported = await exportDocument(domain(), null)
    expect((await plan(domain(), read('e.yaml', [...documentYaml(exported)].join('')))).changes).toEqual([])
    const next = await plan(domain(), read('a.yaml', yaml(String(BigInt(max) - 2n))))
    expect(changeOf(next, 'characteristics', 'counter')).toMatchObject({
      before: { boundaryMax: max },
      patch: [{ op: 'replace', path: '/boundaryMax', value: expect.anything() as Json }],
    })
  },
)

test('ingest judges by them exactly', () => {
  const { accept } = rulesOf(SIGNED.replace(/.$/, '6'))
  expect([accept(SIGNED.replace(/.$/, '6')), accept(SIGNED.replace(/.$/, '5'))]).toEqual([
    2n ** 63n - 2n,
    2n ** 63n - 3n,
  ])
  expect(accept(SIGNED)).toMatchObject({ code: 'out-of-bounds' })
  expect(rulesOf(UNSIGNED).accept(SIGNED)).toBe(2n ** 63n - 1n)
})

function rulesOf(boundaryMax: string) {
  const rules = compileRules({ dataType: 'INTEGER', boundaryMin: 0, boundaryMax })
  return { accept: (value: unknown) => rules.accept(value) }
}

test('metadata and its types keep them too', async () => {
  const text = (value: string) => `metadataTypes:
  - { key: typed, entityType: SERVICE, dataType: INTEGER, default: ${SIGNED} }
services:
  - { code: s, name: S, metadataKeyValueStore: [{ key: typed, value: ${value} }, { key: untyped, value: ${SIGNED} }, { key: tagged, value: { integer: ${SIGNED} } }] }
`
  await applyAll(domain(), read('a.yaml', text(SIGNED)))
  const { body } = await storedRecord(domain(), 'services', 's')
  const kept = ['tagged', 'typed', 'untyped'].map((key) => ({ key, value: { integer: SIGNED } }))
  expect(body['metadataKeyValueStore']).toEqual(kept)
  expect((await plan(domain(), read('a.yaml', text(`"${SIGNED}"`)))).changes).toEqual([])
})

test('an anchor keeps them where it is repeated', () => {
  const document = read('a.yaml', yaml(`&most ${SIGNED}`) + yaml('*most').split('\n')[1]?.replace('counter', 'other'))
  expect(document['characteristics']).toMatchObject([{ boundaryMax: SIGNED }, { boundaryMax: SIGNED }])
})

test.each([
  ['a FLOAT', yaml(SIGNED).replace('INTEGER', 'FLOAT'), 'write at most 15 significant digits.'],
  ['a step', yaml(`1, boundaryStep: ${SIGNED}`), 'write at most 15 significant digits.'],
  ['a text', yaml('1').replace('name: Counter', `name: ${SIGNED}`), 'put it in quotes, for it is a text.'],
])('%s that would lose digits is refused with advice that works', (_, text, advice) => {
  const [line = ''] = linesOf(loadFiles({ 'a.yaml': text }))
  expect(line).toContain(`error number-not-exact: the number ${SIGNED} cannot be stored exactly; ${advice}`)
})

test('what a double holds is not refused, however many digits it has', () => {
  for (const max of ['100000000000000000000', '9007199254740992', '9007199254740991']) {
    const { characteristics } = read('a.yaml', yaml(max).replace('INTEGER', 'FLOAT'))
    expect(characteristics).toMatchObject([{ boundaryMax: Number(max) }])
  }
})

test('boundaries are compared as numbers', async () => {
  const crossed = yaml('"9223372036854775806"').replace('boundaryMin: 0', `boundaryMin: ${SIGNED}`)
  await expect(plan(domain(), read('a.yaml', crossed))).rejects.toMatchObject({
    details: [{ code: 'boundaries-crossed' }],
  })
})
