import { coerceInputValue, getNamedType, getNullableType, isEnumType, isListType, type GraphQLInputType } from 'graphql'
import { capitalized } from '../../lib/letter-case.ts'
import { isObject, parseJson, type Json } from '../../lib/json.ts'
import { inputField } from '../../server/graphql/field-types.ts'
import type { Valued } from '../../server/graphql/typed.ts'
import type { Field } from '../../records/shape.ts'
import type { Html } from '../../server/html.ts'
import { lines, type Filled } from '../form.ts'
import { checkbox, checkboxes, selectField, textField, type Choice, type TextField } from '../parts/fields.ts'

/** The parts of a field that a page defines itself. */
interface OwnWords {
  readonly label?: string
  readonly hint?: string
  /** The values to choose from, if the declaration has no closed set. */
  readonly choices?: readonly Choice[]
  /** The value that applies if none is stored, unless the declaration names one. */
  readonly notSet?: unknown
  readonly isCode?: boolean
  readonly type?: 'email' | 'url'
}

/** The words of a page for its fields. Fields that it names come first, in this order. */
export interface Own {
  readonly [field: string]: OwnWords
}

export interface GivenField extends Field {
  /** The name of the field in inputs, if it differs. */
  readonly givenAs?: string
  /** Whether the value of the field is the key of a record. */
  readonly isKey?: boolean
  /** The member that names a record, if the field is an object; null if the field itself names the record. */
  readonly member?: string | null | undefined
}

/** A field of a form: how it is shown, how a stored value becomes text, and how text becomes a value. */
export interface FormField {
  readonly name: string
  /** Whether the field is a choice. Browsers do not send the field if nothing is chosen. */
  readonly isChosen: boolean
  readonly isRequired: boolean
  show(filled: Filled, isFirst: boolean): Html
  shownOf(value: unknown): string | readonly string[]
  /** Reads the value of the text. Calls `refuse` with the problem if the text is wrong. */
  read(filled: Filled, refuse: Refuse): Json
}

type Refuse = (problem: string) => void

/** The fields of a form that produce values of this type. */
export type Form<Input> = readonly FormField[] & Valued<Input>

/** Makes the field of a form from the declaration that also defines the field of the GraphQL input. */
export function formField(field: GivenField, own: OwnWords): FormField {
  const { required, member = null, defaultValue, node } = field
  const name = field.givenAs ?? field.name
  const { type: given } = inputField(field, required)
  const type = getNullableType(given)
  const choices = own.choices ?? choicesOf(type, required)
  const kind = member === null ? kindOf(type, field, choices.length > 0) : 'line'
  const { shownOf, read, show } = KINDS[kind]
  const hint = own.hint ?? hintOf(kind, field)
  const isCode = own.isCode ?? (field.isKey === true || (node.format !== undefined && node.format !== 'line'))
  const look: TextField = {
    name,
    label: own.label ?? labelOf(name),
    isRequired: required,
    isCode,
    ...(hint !== '' && { hint }),
    ...(own.type !== undefined && { type: own.type }),
  }
  return {
    name,
    isChosen: kind === 'flag' || kind === 'some',
    isRequired: required,
    show: (filled, isFirst) => show(filled, { ...look, isFirst }, choices),
    shownOf(value) {
      const known = value ?? defaultValue ?? own.notSet
      return shownOf(member !== null && isObject(known) ? known[member] : known)
    },
    read(filled, refuse) {
      const plain = read(filled, name, refuse)
      const value = member !== null && plain !== null ? { [member]: plain } : plain
      // An empty text is a value. The platform decides whether it may be empty.
      if (value === null && required && kind !== 'number' && kind !== 'json') return ''
      if (value === null && !required) return null
      return isEnumType(getNamedType(type)) ? memberOf(value, choices, refuse) : coerced(value, given, refuse)
    },
  }
}

type Kind = 'line' | 'lines' | 'secret' | 'number' | 'json' | 'flag' | 'one' | 'some'

function kindOf(type: GraphQLInputType, { node }: GivenField, hasChoices: boolean): Kind {
  const { name } = getNamedType(type)
  const isText = name === 'String' || name === 'ID'
  if (hasChoices) return isListType(type) ? 'some' : 'one'
  if (isListType(type)) return isText ? 'lines' : 'json'
  if (node.writeOnly === true) return 'secret'
  if (name === 'Boolean') return 'flag'
  if (name === 'Float' || node.type === 'integer') return 'number'
  return isText ? 'line' : 'json'
}

/** The members of a closed set with their meanings, and an empty choice if the field is optional. */
function choicesOf(type: GraphQLInputType, isRequired: boolean): readonly Choice[] {
  const closed = getNamedType(type)
  if (!isEnumType(closed)) return []
  const members = closed.getValues().map(({ value, description }) => ({
    value: String(value),
    label: labelOf(String(value).toLowerCase()),
    ...(description != null && { hint: description }),
  }))
  return isRequired || isListType(type) ? members : [{ value: '', label: 'Not set' }, ...members]
}

interface KindOfField {
  shownOf(value: unknown): string | readonly string[]
  read(filled: Filled, name: string, refuse: Refuse): Json
  show(filled: Filled, look: TextField, choices: readonly Choice[]): Html
}

const LINE: KindOfField = {
  shownOf: (value) => (value === undefined || value === null ? '' : String(value)),
  read: (filled, name) => filled.text(name) || null,
  show: textField,
}

const KINDS: { readonly [kind in Kind]: KindOfField } = {
  line: LINE,
  lines: {
    shownOf: (value) => textsOf(value).join('\n'),
    read: (filled, name) => lines(filled.text(name)),
    show: (filled, look) => textField(filled, { ...look, isCode: true, rows: 3 }),
  },
  secret: {
    shownOf: () => '',
    read: (filled, name) => filled.exact(name) || null,
    show: (filled, look) => textField(filled, { ...look, type: 'password', isCode: true }),
  },
  number: { ...LINE, read: (filled, name) => numberIn(filled.text(name)) },
  json: {
    shownOf: (value) => (value == null || String(value) === '' ? '' : JSON.stringify(value, undefined, 2)),
    read: (filled, name, refuse) => jsonIn(filled.text(name), refuse),
    show: (filled, look) => textField(filled, { ...look, isCode: true, rows: 4 }),
  },
  flag: {
    shownOf: (value) => (value === true ? ['true'] : []),
    read: (filled, name) => filled.text(name) === 'true',
    show: checkbox,
  },
  one: { ...LINE, show: selectField },
  some: { shownOf: textsOf, read: (filled, name) => filled.all(name), show: checkboxes },
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function numberIn(text: string): Json {
  return text === '' || !Number.isFinite(Number(text)) ? text || null : Number(text)
}

function jsonIn(text: string, refuse: Refuse): Json {
  try {
    return text === '' ? null : parseJson(text)
  } catch {
    refuse('must be JSON')
    return null
  }
}

function memberOf(value: Json, choices: readonly Choice[], refuse: Refuse): Json {
  const wrong = [value].flat().find((one) => !choices.some((choice) => choice.value === one))
  if (wrong !== undefined) refuse(`must be one of ${choices.map((choice) => choice.value).join(', ')}`)
  return value
}

/** Checks the value like GraphQL. */
function coerced(value: Json, type: GraphQLInputType, refuse: Refuse): Json {
  return coerceInputValue(value, type, (path, _, { message }) => {
    const at = path.length === 0 ? '' : ` at ${path.join('.')}`
    refuse(`is not valid${at}: ${message}`)
  }) as Json
}

const WORDS: { readonly [word: string]: string } = { uri: 'URI', uris: 'URIs', uuid: 'UUID' }

/** `redirectUris` → `Redirect URIs`, `isPrototype` → `Prototype` */
export function labelOf(name: string): string {
  const words = name.replace(/^is(?=[A-Z])/, '').replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, ' ')
  return capitalized(words.toLowerCase().replaceAll(/\w+/g, (word) => WORDS[word] ?? word))
}

/**
 * The hint of the field, made from its description. Sentences about null and absent values are omitted or reworded,
 * because a form only knows empty fields.
 */
function hintOf(kind: Kind, { node }: GivenField): string {
  const sentences = (node.description ?? '').split(/(?<=\.) (?=[A-Z]|null:|\[\]:)/)
  const told = sentences
    .map((sentence) => capitalized(sentence.replace(/^true: /, '')))
    .filter((sentence) => !/^Left out: (?:stays|false|true)/.test(sentence))
    .map((sentence) => sentence.replace(/^(?:Left out: null,|Left out|[Nn]ull|\[\]):?(?= )/, 'Empty:'))
  const written = kind === 'lines' ? ['One in a line.'] : kind === 'json' ? [`JSON${exampleOf(node)}.`] : []
  return [...told, ...written].join(' ')
}

function exampleOf({ examples = [] }: GivenField['node']): string {
  return examples.length === 0 ? '' : `, such as ${JSON.stringify(examples[0])}`
}
