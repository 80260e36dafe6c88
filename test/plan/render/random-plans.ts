import * as fc from 'fast-check'
import type { Json, JsonObject } from '../../../src/lib/json.ts'
import type { Change, ClientBreak, Guard, GuardCode, Plan } from '../../../src/plan/plan.ts'
import { DOCUMENT_TYPE_NAMES, type RecordTypeName } from '../../../src/records/record-type.ts'
import { changeOf, managed, planOf } from './plan-builder.ts'

// Plans that no honest model leads to: every text in them may try to break out of where it is shown.

const ATTACKS = [
  '```',
  '``````',
  '@everyone',
  '</details>',
  '<!--',
  '-->',
  '|',
  '#123',
  'https://evil.example',
  '\u202e',
  '\u001b[2J',
  '\n## Approved\n',
  '[x](y)',
  '`',
  '\r',
  '\u200d',
  '- deletes',
  '$(reboot)',
  "'",
  '"',
  '…',
  ' → ',
  '(secret, unchanged)',
  'www.evil.example',
  'acme/models#1',
  'GH-1',
  '<img src=x>',
  '<details open>',
  '[^1]',
  '![x](https://evil.example/x.png)',
  '\n- [x] done',
  '~~',
  '&lt;!--',
  '$`x`$',
  '\u05d0\u05d1',
  '\u200b',
  '👩‍🔧',
  '<!-- holdfast plan platform=x commit=x run=9.9 -->',
  '::error::',
  '\\',
]

export const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(fc.oneof(fc.constantFrom(...ATTACKS), fc.string({ maxLength: 5 })), { maxLength: 6 })
    .map((parts) => parts.join('')),
)

export const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(hostileText, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.record({ key: hostileText, value: tie('value') }), { maxLength: 4 }),
    fc.dictionary(hostileText, tie('value'), { maxKeys: 4 }),
  ),
})).value

const body: fc.Arbitrary<JsonObject> = fc.dictionary(
  fc.oneof(fc.constantFrom('name', 'status', 'options', 'schema'), hostileText),
  json,
  { maxKeys: 5 },
)
const optional = <Value>(name: string, value: fc.Arbitrary<Value>) =>
  fc.option(value, { nil: undefined }).map((one) => (one === undefined ? {} : { [name]: one }))
const reference = fc.record({ type: fc.constantFrom(...DOCUMENT_TYPE_NAMES), key: hostileText })
const guardCode = fc.constantFrom<GuardCode[]>('deletes-data', 'invalidates-data', 'protected')
const guards: fc.Arbitrary<Guard[]> = fc.array(
  fc.record({ code: guardCode, acknowledged: fc.boolean(), message: hostileText }),
  { maxLength: 2 },
)
const source = fc.record({ file: hostileText, line: fc.nat(), column: fc.nat() })

const more = fc
  .tuple(
    optional('source', source),
    optional('drift', fc.record({ actor: hostileText, at: hostileText })),
    optional('reason', hostileText),
    optional('secret', fc.constantFrom('changed', 'unchanged', 'not compared')),
    optional('referrers', fc.array(reference, { maxLength: 15 })),
  )
  .map((parts) => Object.assign({}, ...parts) as Partial<Change>)

const change = fc
  .record({
    record: reference,
    action: fc.constantFrom('create', 'update', 'delete', 'move'),
    bodies: fc.tuple(body, body),
    from: hostileText,
    cause: fc.constantFrom('you', 'drift', 'both'),
    impact: fc.constantFrom({}, { datapoints: 1 }, { components: 3, datapoints: 1204332 }),
    guards,
    more,
  })
  .map(({ record, action, bodies: [before, after], from, more, ...rest }) =>
    changeOf({
      ...more,
      ...rest,
      ...record,
      action,
      ...(action === 'move' && { from }),
      before: action === 'create' ? null : before,
      after: action === 'delete' ? null : after,
    }),
  )

const diagnostic = fc.record({
  severity: fc.constantFrom('error', 'warning'),
  code: hostileText,
  message: hostileText,
  pointer: hostileText,
  file: hostileText,
  line: fc.nat(),
  column: fc.nat(),
})

/** All that a grant says comes from a document. */
const grantBody: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.oneof(
      fc
        .constantFrom('user', 'machineUser', 'organization')
        .chain((subject) => hostileText.map((who) => ({ [subject]: who }))),
      fc
        .record({
          issuer: hostileText,
          clientId: hostileText,
          claims: fc.dictionary(hostileText, hostileText, { maxKeys: 2 }),
        })
        .map((identities) => ({ identities })),
    ),
    optional('within', hostileText),
  )
  .map((parts) => Object.assign({ role: 'operator' }, ...parts) as JsonObject)

const grantChange = fc
  .record({
    key: hostileText,
    body: grantBody,
    action: fc.constantFrom('create', 'delete'),
    guards,
    place: optional('source', source),
  })
  .map(({ key, body, action, guards, place }) =>
    changeOf({
      ...place,
      guards,
      type: 'access',
      key,
      action,
      before: action === 'create' ? null : body,
      after: action === 'delete' ? null : body,
    }),
  )

const grants = fc.uniqueArray(grantChange, { maxLength: 3, selector: ({ key }) => key })

const notCompared = fc.array(
  fc.record({
    type: fc.constantFrom('machineUsers', 'applicationConsumers'),
    key: hostileText,
    field: fc.constantFrom('password', 'secret'),
    reason: fc.constantFrom('not-resolved', 'too-many-guesses', 'no-platform'),
  }),
  { maxLength: 7 },
)

const drift = fc.array(
  fc
    .tuple(
      fc.record({ type: fc.constantFrom(...DOCUMENT_TYPE_NAMES), key: hostileText, field: hostileText }),
      optional('values', fc.record({ before: json, after: json, actor: hostileText, at: hostileText })),
    )
    .map(([record, { values = {} }]: [{ type: RecordTypeName; key: string; field: string }, { values?: object }]) => ({
      ...record,
      ...values,
    })),
  { maxLength: 5 },
)

const breaks = fc.array(
  fc
    .tuple(
      fc.record({
        type: fc.constantFrom(...DOCUMENT_TYPE_NAMES),
        keys: fc.array(hostileText, { maxLength: 5 }),
        change: fc.oneof(fc.constant('removed'), hostileText),
      }),
      optional('member', hostileText),
      optional('count', fc.nat()),
    )
    .map(([member, ...more]) => Object.assign({}, member, ...more) as ClientBreak),
  { maxLength: 30 },
)

export const randomPlan = randomPlans({ changes: 12, small: 7 })

/** Of so many changes at most; one in so many plans is a large one. */
export function randomPlans({ changes, small }: { changes: number; small: number }): fc.Arbitrary<Plan> {
  return fc
    .record({
      changes: fc.uniqueArray(change, { maxLength: changes, selector: ({ type, key }) => `${type}/${key}` }),
      diagnostics: fc.array(diagnostic, { maxLength: 3 }),
      domain: hostileText,
      grants,
      notCompared,
      drift,
      breaks,
      copies: fc.nat({ max: small }).map((kind) => (kind === small ? 30 : 1)),
    })
    .map(({ copies, changes, grants, notCompared, drift, breaks, ...rest }) => ({
      ...planOf({
        ...rest,
        changes: copiesOf(changes, copies),
        access: { state: 'managed', previously: 'managed', actual: 5, changes: grants },
        scope: {
          services: managed(3),
          users: {
            state: 'released',
            previously: 'managed',
            actual: 2,
            guards: [{ code: 'leaves-scope', acknowledged: false, message: rest.domain }],
          },
        },
      }),
      ...(notCompared.length > 0 && { notCompared }),
      ...(drift.length > 0 && { drift }),
      ...(breaks.length > 0 && { breaks: { count: breaks.length + copies, members: breaks } }),
    }))
}

/** The same changes many times over, under other keys: huge plans are made of what is alike. */
function copiesOf(changes: readonly Change[], copies: number): Change[] {
  return [...Array(copies).keys()].flatMap((copy) =>
    changes.map((change) => (copy === 0 ? change : { ...change, key: `${change.key}#${copy}` })),
  )
}
