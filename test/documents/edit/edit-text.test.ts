import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editText } from '../../../src/documents/edit/edit-text.ts'
import { applied } from '../../../src/documents/edit/text-edit.ts'
import { editValues, type ValueEdit } from '../../../src/documents/edit/value-edit.ts'
import { parseYaml } from '../../../src/documents/yaml/parse-yaml.ts'
import { shorten } from '../../../src/documents/edit/shortened-text.ts'
import { want, wantedTree } from '../../../src/documents/wanted.ts'
import { isObject, type Json } from '../../../src/lib/json.ts'
import '../../support/property-seed.ts'
import { modelArbitrary } from '../../support/random-model.ts'
import { runsOf } from '../../support/runs.ts'
import { fileStyleArbitrary, writtenIn } from '../../support/written-styles.ts'

const VALUES = fc.oneof(
  fc.string(),
  fc.constantFrom('yes', '1e3', '# no', 'a: b', '- x', '{', 'ä\nö\n', ' ', 'null', '~', "it's", '"'),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom([], {}, ['a, b', 1], [{ code: 'x' }, { code: 'y', deep: { list: [1, [2]] } }], { a: 'x\ny' }),
)

/** All places of a value: those of members, of items, and behind the last item. */
function placesIn(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const children: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : isObject(value)
      ? Object.entries(value)
      : []
  return [
    ...(path.length > 1 ? [path] : []),
    ...children.flatMap(([name, child]) => placesIn(child, [...path, name])),
    ...(Array.isArray(value) ? [[...path, value.length]] : []),
  ]
}

/** Edits that do not contradict each other: none is inside of what another one changes. */
function editsArbitrary(document: unknown): fc.Arbitrary<ValueEdit[]> {
  const places = placesIn(document)
  if (places.length === 0) return fc.constant([])
  const one = fc
    .record({ at: fc.nat(), kind: fc.nat(), value: VALUES, name: fc.constantFrom('new', 'added here') })
    .map(({ at, kind, value, name }): ValueEdit => {
      const path = places[at % places.length] ?? []
      const parent = path.slice(0, -1).reduce<unknown>((found, part) => (found as never)[part], document)
      const isBehind = Array.isArray(parent) && path.at(-1) === parent.length
      if (isBehind) return { kind: 'insert', document: 0, path, value }
      const kinds = Array.isArray(parent) ? (['remove', 'set', 'insert'] as const) : (['set', 'add', 'remove'] as const)
      const chosen = kinds[kind % kinds.length]
      if (chosen === 'add') return { kind: 'set', document: 0, path: [...path.slice(0, -1), name], value }
      if (chosen === 'remove') return { kind: 'remove', document: 0, path }
      return { kind: chosen ?? 'set', document: 0, path, value }
    })
  return fc.array(one, { minLength: 1, maxLength: 5 }).map((edits) =>
    edits.filter(({ path }, index) =>
      edits.slice(0, index).every((other) => {
        const [short, long] = other.path.length < path.length ? [other.path, path] : [path, other.path]
        return !short.every((part, depth) => long[depth] === part)
      }),
    ),
  )
}

/** Whether an edit replaces or removes nothing that may have comments inside. */
function takesNothing({ kind, path }: ValueEdit, document: unknown): boolean {
  const before = path.reduce<unknown>((found, part) => (found as never)?.[part], document)
  return kind === 'insert' || (kind === 'set' && (typeof before !== 'object' || before === null))
}

describe('values of files in any style', () => {
  it('are changed, and everything else stays to the byte, with its comments', { timeout: 600_000 }, () => {
    const cases = modelArbitrary().chain((model) =>
      fc.tuple(fc.constant(model), fileStyleArbitrary(), editsArbitrary(model)),
    )
    fc.assert(
      fc.property(cases, ([model, style, edits]) => {
        const { text, comments } = writtenIn(style, model)
        const made = editText({ path: `a.${style.form}`, bytes: Buffer.from(text) }, edits)
        const problems = 'problems' in made ? made.problems.map(({ message }) => message) : []
        // The reasons that any style may have.
        const allowed =
          /:\d+:\d+: (other places repeat this by \*a\d|this repeats another place by \*a\d)|: (it has comments, which would be lost|there are comments beside it|a comment follows on this line)$/
        expect(problems.filter((message) => !allowed.test(message))).toEqual([])
        if ('problems' in made) return
        expect(applied(text.replace(/^\ufeff/, ''), made.edits)).toBe(made.text)
        // JSON is YAML, so one reader reads both.
        const { documents } = parseYaml(made.text, 100, { limit: 1e6, left: 1e6 })
        // Its records share some values, which a structured clone would share, too.
        const wanted = [JSON.parse(JSON.stringify(model)) as unknown]
        editValues(wanted, edits)
        expect(documents).toEqual(wanted)
        const breaks = made.text.match(/\r?\n/g) ?? []
        expect(breaks.filter((one) => one !== style.eol)).toEqual([])
        const isGentle = edits.every((edit) => takesNothing(edit, model))
        expect(isGentle ? comments.filter((comment) => !made.text.includes(comment)) : []).toEqual([])
      }),
      { numRuns: runsOf('EDIT_RUNS', { sample: 200, long: 5_000 }) },
    )
  })
})

const set = (path: ValueEdit['path'], value: Json, more: object = {}): ValueEdit => ({
  kind: 'set',
  document: 0,
  path,
  value,
  ...more,
})
const remove = (...path: ValueEdit['path']): ValueEdit => ({ kind: 'remove', document: 0, path })
const insert = (path: ValueEdit['path'], value: Json): ValueEdit => ({ kind: 'insert', document: 0, path, value })

function edited(text: string, edits: readonly ValueEdit[], path = 'a.yaml'): string | readonly string[] {
  const made = editText({ path, bytes: Buffer.from(text) }, edits)
  return 'text' in made ? made.text : made.problems.map(({ message }) => message)
}

const LIST = `services:
  # of a
  - code: a   # one
    name: "A"

  # of b
  # and more
  - code: b
    note: |
      two
      lines
      # no comment
    # at the end of b

  - { code: c, list: [ 1, 2 ] } # three
`

describe('a list in block style', () => {
  it('loses an item with its comments, and one of the blank lines around it', () => {
    expect(edited(LIST, [remove('services', 1)])).toBe(LIST.replace(/ {2}# of b\n[^]*end of b\n\n/, ''))
  })

  it('becomes an empty one without its items, and gets items again', () => {
    const empty = edited(
      LIST,
      [0, 1, 2].map((index) => remove('services', index)),
    )
    expect(empty).toBe('services: []\n')
    expect(edited(String(empty), [insert(['services', 0], { code: 'x', name: 'X' })])).toBe(
      'services:\n  - { code: x, name: X }\n',
    )
  })

  it('gets an item in the style of the one above, with a blank line if there is one above that', () => {
    expect(edited(LIST, [insert(['services', 2], { code: 'x', deep: [{ a: 1 }], text: 'a\nb' })])).toBe(
      LIST.replace(
        'end of b\n',
        `end of b

  - code: x
    deep:
      - { a: 1 }
    text: |-
      a
      b
`,
      ),
    )
    expect(edited(LIST, [insert(['services', 3], { code: 'x' })])).toBe(`${LIST}\n  - { code: x }\n`)
  })

  it('gets a member behind the ones that come before it', () => {
    const made = edited(LIST, [
      set(['services', 0, 'status'], 'yes', { after: ['code'] }),
      set(['services', 2, 'x'], []),
    ])
    expect(made).toBe(LIST.replace('one\n', 'one\n    status: "yes"\n').replace('[ 1, 2 ] }', '[ 1, 2 ], x: [] }'))
  })

  it('gets a member in the place of one that goes', () => {
    const edits = [remove('services', 2, 'list'), set(['services', 2, 'name'], 'C', { after: ['code', 'list'] })]
    expect(edited(LIST, edits)).toBe(LIST.replace('list: [ 1, 2 ]', 'name: C'))
  })

  it('gets characters that nobody sees as escapes', () => {
    const made = edited('a: x\nb: [x]\n', [set(['a'], 'r\u202eight\u0085'), set(['b', 0], 'y\u200bz')])
    expect(made).toBe('a: "r\\u202eight\\u0085"\nb: ["y\\u200bz"]\n')
  })

  it('keeps the kind of quotes and of text', () => {
    const text = `a: 'x'\nb: "x"\nc: x\nd: |\n  x\n  y\ne: 0x10\n`
    expect(
      edited(
        text,
        ['a', 'b', 'c', 'd', 'e'].map((name) => set([name], name === 'd' ? 'one\ntwo\n' : "it's")),
      ),
    ).toBe(`a: 'it''s'\nb: "it's"\nc: it's\nd: |\n  one\n  two\ne: it's\n`)
  })
})

it('a file with quoted keys gets quoted keys', () => {
  const made = edited(`"a":\n  - 'b': x\n`, [
    set(['a', 0, 'b'], 'new'),
    set(['a', 0, 'c'], 1),
    insert(['a', 1], { d: 'z' }),
  ])
  expect(made).toBe(`"a":\n  - 'b': new\n    'c': 1\n  - 'd': z\n`)
})

describe('a comment that would be lost, or be of another value, stops', () => {
  const flow = 'a: [\n  x, # about x\n  y, # about y\n  z, # about z\n  ]\n'
  const why = 'this is written in a way that cannot be changed safely; change it by hand'
  it.each([
    ['the removal of the last item', flow, remove('a', 2), '3:4: *: there are comments beside it'],
    ['the removal of another item', flow, remove('a', 1), '3:3: *: there are comments beside it'],
    ['a new last item', flow, insert(['a', 3], 'n'), '4:4: *: a comment follows on this line'],
    ['a new member', 'a: {\n  k: z # of z\n  }\n', set(['a', 'n'], 1), '2:7: *: a comment follows on this line'],
    [
      'another order',
      'a:\n  - x # one\n  - y\n',
      set(['a'], ['y', 'x']),
      '2:3: *: it has comments, which would be lost',
    ],
  ])('%s', (_, text, edit, message) => {
    expect(edited(text, [edit])).toEqual([`a.yaml:${message.replace('*', why)}`])
  })

  it('nothing if it is none', () => {
    expect(edited('a: ["# x", \'y #\', "z # 3"]\n', [remove('a', 1)])).toBe('a: ["# x", "z # 3"]\n')
  })
})

describe('an alias', () => {
  const text = `a: &x { code: 1, name: One }\nb: *x\nc: *x\n`

  it.each([
    ['inside', set(['b', 'code'], 2)],
    ['as a whole', set(['b'], 2)],
  ])('stays if its value changes %s', (_, edit) => {
    expect(edited(text, [edit])).toEqual(['a.yaml:2:4: this repeats another place by *x; write it out here'])
  })

  it('stays if the value changes everywhere', () => {
    expect(
      edited(
        text,
        ['a', 'b', 'c'].map((name) => set([name, 'code'], 2)),
      ),
    ).toBe(text.replace('code: 1', 'code: 2'))
  })

  it('stops a change at its anchor that others would get too', () => {
    expect(edited(text, [set(['a', 'code'], 2)])).toEqual([
      'a.yaml:1:7: other places repeat this by *x, so it is not changed here; write it out at those places',
    ])
  })
})

it('a document among several is changed, and the others stay', () => {
  const text = '# head\n---\na: [1]\n...\n---\n# none\n---\na:\n  - 1\n# end\n'
  const edits = [set(['a', 0], 2), set(['new'], 'x')].map((edit) => ({ ...edit, document: 2 }))
  expect(edited(text, edits)).toBe(text.replace('  - 1\n', '  - 2\nnew: x\n'))
  expect(edited(text, [insert(['a', 1], 2)])).toBe(text.replace('[1]', '[1, 2]'))
})

it('a file without a line break at its end stays so', () => {
  expect(edited('a:\n  - x\n  - y', [remove('a', 1)])).toBe('a:\n  - x')
  expect(edited('a:\r\n  - x', [insert(['a', 1], 'z')])).toBe('a:\r\n  - x\r\n  - z')
})

it('JSON keeps its indentation, or its lack of it', () => {
  const text = '{\n\t"a": [\n\t\t{ "b": 1 },\n\t\t{\n\t\t\t"b": 2\n\t\t}\n\t]\n}'
  expect(edited(text, [insert(['a', 2], { b: [3] }), set(['a', 0, 'c'], null)], 'a.json')).toBe(
    text
      .replace('1 }', '1, "c": null }')
      .replace('\t\t}\n\t]', '\t\t},\n\t\t{\n\t\t\t"b": [\n\t\t\t\t3\n\t\t\t]\n\t\t}\n\t]'),
  )
  expect(edited('{"a":[{"b":1},{"b":2}]}', [remove('a', 0), insert(['a', 2], { b: 3, c: 'x' })], 'a.json')).toBe(
    '{"a":[{"b":2},{"b":3,"c":"x"}]}',
  )
})

it('only the neighbours of edited items reach the library, however long their lists are', () => {
  const items = Array.from(
    { length: 5_000 },
    (_, index) => `  # number ${index}\n  - code: c${index}\n    list: [1, 2, 3, 4, 5, 6]\n`,
  )
  const text = `a:\n${items.join('')}`
  const wanted = wantedTree()
  for (const index of ['17', '4000']) want(wanted, ['a', index, 'code'])
  const { text: short, offsetOf, indexOf } = shorten(text, 100, new Map([[0, wanted]]))
  expect(short.length).toBeLessThan(1_000)
  for (const index of [16, 17, 18, 3_999, 4_000, 4_001, 4_999]) {
    expect(text.slice(offsetOf(short.indexOf(`c${index}\n`))).startsWith(`c${index}\n`)).toBe(true)
    expect(indexOf([0, 'a'], index)).toBeGreaterThanOrEqual(0)
  }
  expect(indexOf([0, 'a'], 100)).toBe(-1)
  expect(edited(text, [set(['a', 4_000, 'code'], 'new'), remove('a', 17)])).toBe(
    text.replace('c4000\n', 'new\n').replace(items[17] ?? '', ''),
  )
})
