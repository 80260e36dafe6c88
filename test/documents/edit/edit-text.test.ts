import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editText } from '../../../src/documents/edit/edit-text.ts'
import { applied } from '../../../src/documents/edit/text-edit.ts'
import { editValues, type ValueEdit } from '../../../src/documents/edit/value-edit.ts'
import { parseYaml } from '../../../src/documents/yaml/parse-yaml.ts'
import { isObject } from '../../../src/lib/json.ts'
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
      const kinds = Array.isArray(parent) ? (['remove', 'set', 'insert'] as const) : (['set', 'add'] as const)
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

describe('values of files in any style', () => {
  it('are changed, and everything else stays to the byte, with its comments', () => {
    const cases = modelArbitrary().chain((model) =>
      fc.tuple(fc.constant(model), fileStyleArbitrary(), editsArbitrary(model)),
    )
    fc.assert(
      fc.property(cases, ([model, style, edits]) => {
        const { text, comments } = writtenIn(style, model)
        const source = { path: style.form === 'json' ? 'a.json' : 'a.yaml', bytes: Buffer.from(text) }
        const made = editText(source, edits)
        if (!('text' in made)) throw new Error(`${JSON.stringify(made.problems)}\n${text}`)
        const before = text.replace(/^\ufeff/, '')
        expect(applied(before, made.edits)).toBe(made.text)
        // JSON is YAML, so one reader reads both.
        const { documents } = parseYaml(made.text, 100, { limit: 1e6, left: 1e6 })
        const wanted = [structuredClone(model)]
        editValues(wanted, edits)
        expect(documents).toEqual(wanted)
        if (style.eol === '\r\n') expect(made.text.replaceAll('\r\n', '')).not.toContain('\n')
        if (edits.some(({ kind }) => kind === 'remove')) return
        const lost = comments.filter((comment) => !made.text.includes(comment))
        const replaced = edits.flatMap(({ kind }) => (kind === 'set' ? [kind] : []))
        if (replaced.length === 0) expect(lost).toEqual([])
      }),
      { numRuns: runsOf('EDIT_RUNS', { sample: 200, long: 5_000 }) },
    )
  })
})
