import { GraphQLID } from 'graphql'
import { HoldfastError } from '../../../lib/errors.ts'
import { readerOf } from '../../../plan/withhold.ts'
import { countApplies, findApply, listApplies } from '../../../platform/imports/history/applies.ts'
import type { ApplyOrigin } from '../../../platform/imports/applying/apply-origin.ts'
import { exportAccess, exportDocument } from '../../../platform/imports/export-document.ts'
import { planImport } from '../../../platform/imports/planning/plan-import.ts'
import { readSettings } from '../../../platform/imports/planning/read-import.ts'
import { planRollback } from '../../../platform/imports/applying/roll-back.ts'
import { checkText, checkUuid } from '../../checked-arguments.ts'
import { applyAndNote } from '../../import/noted-apply.ts'
import { operation, type OperationFields } from '../operation.ts'
import { checkPageSize, FIRST, plainPage } from '../page.ts'
import { JSON_VALUE } from '../scalars.ts'
import { list, nonNull, optional, required } from '../typed.ts'
import { APPLY, APPLY_CONNECTION, APPLY_ORIGIN, IMPORT_PLAN, RECORD_TYPE, ROLLBACK_PLAN } from './types.ts'

const SETTINGS = {
  settings: optional(
    JSON_VALUE,
    'The content of holdfast.yaml: acknowledge, protect, moved, access. Left out or null: the import covers only the record types of the document; other types and grants stay as they are, managed or not. With settings, even {}, a guard stops the plan if a managed type is absent.',
  ),
}

const DOCUMENT = { document: required(JSON_VALUE, 'The import document.'), ...SETTINGS }

/** Plans, exports and the history. */
export const IMPORT_QUERIES: OperationFields = {
  planImport: operation({
    right: 'model:plan',
    erasesOthers: true,
    type: nonNull(IMPORT_PLAN),
    description: 'The plan of the document. Writes nothing.',
    args: {
      ...DOCUMENT,
      base: optional(
        JSON_VALUE,
        'The base of this document, such as the models of the branch that a pull request changes: {document: {TYPE: {without: [places in the document], with: [records]} or null, where the base does not have the type}, settings}. With a base, the plan covers only the differences between the document and the base. Other changes that the platform lacks are counted.',
      ),
      origin: optional(APPLY_ORIGIN, 'Where the document comes from; a plan uses only the folder.'),
    },
    resolve: ({ context, actor }, { document, settings, base, origin }) =>
      planImport(context, document, settings, readerOf(actor), {
        ...(base != null && { base }),
        origin: checkedOrigin(origin ?? {}),
      }),
  }),
  importDocument: operation({
    right: 'model:read',
    erasesOthers: true,
    type: nonNull(JSON_VALUE),
    description:
      'An export: the live state, as an import document that could be sent again, with references in place of secrets. An import is planImport and then applyImport, or POST /rest/v1/import.',
    args: { recordTypes: optional(list(RECORD_TYPE), 'Only these types. Left out: all.') },
    resolve: ({ context }, { recordTypes }) => exportDocument(context, recordTypes ?? null),
  }),
  accessDocument: operation({
    right: 'model:read',
    type: nonNull(JSON_VALUE),
    description: 'The grants of the domain, as `access` of the settings lists them.',
    resolve: ({ context }) => exportAccess(context),
  }),
  applies: operation({
    right: 'model:read',
    type: nonNull(APPLY_CONNECTION),
    description: 'The history of applies, newest first.',
    args: { first: FIRST, after: optional(GraphQLID, 'The uuid of the last apply of the page before.') },
    async resolve({ context }, args) {
      const { first, after } = args
      checkPageSize(first)
      const found = await listApplies(context, first + 1, after == null ? null : checkUuid(after, 'after'))
      return plainPage(
        args,
        found.map((item) => ({ item, cursor: item.uuid })),
        () => countApplies(context),
      )
    },
  }),
  apply: operation({
    right: 'model:read',
    type: APPLY,
    description: 'One apply; null if there is none.',
    args: { uuid: required(GraphQLID, 'The uuid of the apply.') },
    resolve: ({ context }, { uuid }) => findApply(context, checkUuid(uuid, 'uuid')).catch(nullIfNotFound),
  }),
  rollbackPlan: operation({
    right: 'model:plan',
    type: nonNull(ROLLBACK_PLAN),
    description: 'The plan that undoes an apply. Writes nothing.',
    args: { apply: required(GraphQLID, 'The uuid of the apply to undo.'), ...SETTINGS },
    async resolve({ context, actor }, { apply, settings }) {
      const uuid = checkUuid(apply, 'apply')
      return { ...(await planRollback(context, uuid, readSettings(settings), readerOf(actor))), settings }
    },
  }),
}

export const IMPORT_MUTATIONS: OperationFields = {
  applyImport: operation({
    right: 'model:apply',
    erasesOthers: true,
    type: nonNull(APPLY),
    description: 'Makes exactly the changes of a reviewed plan, all or none. A stale plan is refused as STALE_PLAN.',
    args: {
      ...DOCUMENT,
      plan: required(JSON_VALUE, 'The plan that was reviewed, as planImport gave it.'),
      origin: optional(APPLY_ORIGIN, 'Where the document comes from.'),
    },
    async resolve({ context, noteAccessChange }, { document, settings, plan, origin }) {
      const request = { document, settings, plan, origin: checkedOrigin(origin ?? {}) }
      return applyAndNote(context, request, noteAccessChange)
    },
  }),
}

/** All fields that process a whole model at once. */
export const IMPORT_FIELDS: ReadonlySet<string> = new Set([IMPORT_QUERIES, IMPORT_MUTATIONS].flatMap(Object.keys))

function checkedOrigin(origin: ApplyOrigin): ApplyOrigin {
  for (const [name, value] of Object.entries(origin)) {
    if (typeof value !== 'string') continue
    if (name === 'applyId' || name === 'rollbackOf') checkUuid(value, `origin.${name}`)
    else checkLength(checkText(value, `origin.${name}`), name)
  }
  return origin
}

/** The maximum number of characters of a text in an origin. A page of the history can read a thousand origins. */
export const LONGEST_OF_ORIGIN = 500

function checkLength({ length }: string, name: string): void {
  if (length <= LONGEST_OF_ORIGIN) return
  const detail = `origin.${name} has ${length} characters; at most ${LONGEST_OF_ORIGIN} are possible`
  const details = [{ pointer: `/origin/${name}`, code: 'LIMIT_EXCEEDED', detail }]
  throw new HoldfastError('LIMIT_EXCEEDED', detail, { details })
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof HoldfastError && error.code === 'NOT_FOUND') return null
  throw error
}
