import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeReferences } from '../../../src/documents/checks/value-references.ts'
import { countCalls } from '../../support/count-calls.ts'
import { linesOf, loadFiles } from '../load-files.ts'

describe('merging', () => {
  test('the lists of all files stand one behind the other, in the order of the paths', () => {
    const loaded = loadFiles({
      'models/b.json': '{"services": [{"code": "3"}], "users": []}',
      'models/a.yaml': 'services:\n  - code: "1"\n---\nservices: [{code: "2"}]\n',
      'models/B.yml': 'services: [{code: "0"}]',
    })
    expect(loaded.document).toEqual({ services: ['0', '1', '2', '3'].map((code) => ({ code })), users: [] })
    expect(loaded.files).toEqual({ services: 3, users: 1 })
    expect(loaded.diagnostics).toEqual([])
  })

  test('an absent record type stays absent, an empty list makes it present', () => {
    expect(Object.keys(loadFiles({ 'a.yaml': 'users: []\ncharacteristics: []\n' }).document)).toEqual([
      'characteristics',
      'users',
    ])
  })

  test('a $schema on top is ignored in both formats', () => {
    const loaded = loadFiles({
      'a.json': '{"$schema": "../x.json", "users": []}',
      'b.yaml': '$schema: ../x.json\nusers: []\n',
    })
    expect(linesOf(loaded)).toEqual([])
    expect(loaded.document).toEqual({ users: [] })
  })

  test('so many findings of one file do not fit into the arguments of a call', () => {
    const records = Array.from({ length: 130_000 }, () => ({ code: '${env:NONE}' }))
    expect(loadFiles({ 'a.json': JSON.stringify({ services: records }) }).diagnostics).toHaveLength(130_000)
  })

  test('no files at all: nothing is managed, and nothing is wrong', () => {
    const { document, files, diagnostics } = loadFiles({})
    expect({ document, files, diagnostics }).toEqual({ document: {}, files: {}, diagnostics: [] })
  })

  test('property: however records are split over files and whatever the order of the files, the document is the same', () => {
    const record = fc.record({ code: fc.string(), tags: fc.array(fc.integer()) })
    const split = fc.array(fc.record({ services: fc.array(record), users: fc.array(record) }, { requiredKeys: [] }), {
      minLength: 1,
    })
    fc.assert(
      fc.property(split, fc.func(fc.integer()), (contents, weigh) => {
        const whole = {
          services: contents.flatMap(({ services = [] }) => services),
          users: contents.flatMap(({ users = [] }) => users),
        }
        const files = contents.map(
          (content, index) =>
            [`${String.fromCodePoint(0x61 + index)}.json`, escapeReferences(JSON.stringify(content))] as const,
        )
        const shuffled = files.toSorted(([a], [b]) => weigh(a) - weigh(b))
        const { document } = loadFiles(Object.fromEntries(shuffled))
        expect({ services: document.services ?? [], users: document.users ?? [] }).toEqual(whole)
        expect(document).toStrictEqual(loadFiles(Object.fromEntries(files)).document)
      }),
    )
  })
})

describe('settings', () => {
  test('holdfast.yaml holds settings, not records', () => {
    const loaded = loadFiles({
      'models/holdfast.yaml':
        'protect: [{type: services, key: heating}]\nmoved:\n  - {type: services, from: a, to: b}\n',
      'models/a.yaml': 'services: []',
    })
    expect(loaded.settings).toEqual({
      acknowledge: [],
      protect: [{ type: 'services', key: 'heating' }],
      moved: [{ type: 'services', from: 'a', to: 'b' }],
    })
    expect(loaded.document).toEqual({ services: [] })
    expect(loaded.diagnostics).toEqual([])
  })

  test('one with comments only says nothing', () => {
    const { settings, diagnostics } = loadFiles({ 'models/holdfast.yaml': '# protect: []\n' })
    expect({ settings, diagnostics }).toEqual({
      settings: { acknowledge: [], protect: [], moved: [] },
      diagnostics: [],
    })
  })

  test('a list without entries is like one that is left out', () => {
    const loaded = loadFiles({ 'models/holdfast.yaml': 'acknowledge:\nprotect:\nmoved: # none\n' })
    expect([loaded.settings, loaded.diagnostics]).toEqual([{ acknowledge: [], protect: [], moved: [] }, []])
    // Grants that nobody listed are another matter.
    expect(linesOf(loadFiles({ 'models/holdfast.yaml': 'access:\n' }))).toEqual([
      expect.stringMatching(/^models\/holdfast\.yaml:1:1: error wrong-type: /),
    ])
  })

  test.each(['…', '...', "' '", "''"])('the reason %s is none', (reason) => {
    const entry = `acknowledge:\n  - { code: mass-delete, type: users, reason: ${reason} }\n`
    expect(linesOf(loadFiles({ 'models/holdfast.yaml': entry }))).toEqual([
      expect.stringMatching(/^models\/holdfast\.yaml:2:39: error no-reason: .* is empty or a placeholder; explain/),
    ])
  })

  test('mistakes have a position in it, and no settings apply', () => {
    const loaded = loadFiles({ 'models/holdfast.yaml': 'protect:\n  - type: service\n    key: heating\nmove: []\n' })
    expect(linesOf(loaded)).toEqual([
      expect.stringMatching(/^models\/holdfast\.yaml:2:5: error not-in-enum: .*Did you mean "services"\?$/),
      expect.stringMatching(/^models\/holdfast\.yaml:4:1: error unknown-key: .*Did you mean "moved"\?$/),
    ])
    expect(loaded.settings).toEqual({ acknowledge: [], protect: [], moved: [] })
  })

  test('there is only one, with that name, and with one document', () => {
    expect(linesOf(loadFiles({ 'm/holdfast.yaml': 'protect: []\n', 'm/x/holdfast.yaml': 'moved: []\n' }))).toEqual([
      'm/x/holdfast.yaml:1:1: error several-settings: there can be one holdfast.yaml only, and m/holdfast.yaml is one too; put everything into one of them.',
    ])
    expect(linesOf(loadFiles({ 'm/holdfast.yml': 'protect: []\n' }))).toEqual([
      'm/holdfast.yml:1:1: error settings-file-name: settings are read from holdfast.yaml only; rename this file.',
    ])
    expect(linesOf(loadFiles({ 'm/holdfast.yaml': 'protect: []\n---\nmoved: []\n' }))).toEqual([
      'm/holdfast.yaml:1:1: error several-settings: holdfast.yaml holds one document; remove the line ---.',
    ])
  })

  test('a key that becomes itself is found beside what else is wrong', () => {
    const settings =
      'protect: [{ type: services }]\nmoved:\n  - { type: users, from: Ann@example.org, to: ann@example.org }\n'
    expect(linesOf(loadFiles({ 'm/holdfast.yaml': settings }))).toEqual([
      'm/holdfast.yaml:1:11: error missing-key: key "key" is missing: add it; it must be a string.',
      'm/holdfast.yaml:3:5: error impossible-move: moved users: ann@example.org → ann@example.org: both are the same key; correct one of them, or remove the entry',
    ])
  })

  test('one that cannot be read is reported like every other file', () => {
    expect(linesOf(loadFiles({ 'm/holdfast.yaml': 'protect: [' }))).toEqual([
      'm/holdfast.yaml:1:10: error syntax: a list or mapping in brackets is never closed; add the missing ] or }.',
    ])
  })
})

describe('a record of another file', () => {
  const unread = loadFiles({ 'a.yaml': '%X: {\nservices:\n  - {code: heating pump, name: "x"}\n  - code: flow\n' })

  test.each(['heating pump', 'flow', 'services'])('may be %s of an unreadable file', (key) => {
    expect(unread.mayBeUnread(key)).toBe(true)
  })

  test.each(['heat', 'heating valve', 'b'])('is not %s', (key) => {
    expect(unread.mayBeUnread(key)).toBe(false)
  })

  test('is not sought in the whole text for each key', async () => {
    const sought = await countCalls(String.prototype, 'includes', () => {
      for (let at = 0; at < 50; at += 1) unread.mayBeUnread(`k${at}`)
    })
    // Each key itself is looked at once.
    expect(sought).toBeLessThanOrEqual(50)
  })
})
