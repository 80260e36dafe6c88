import { GraphQLBoolean, GraphQLEnumType, GraphQLID, GraphQLObjectType, GraphQLString } from 'graphql'
import type { JsonObject } from '../../../lib/json.ts'
import { briefPlan } from '../../../plan/brief-plan.ts'
import type { PlanResult } from '../../../plan/make-plan.ts'
import type { Outcome, Plan, ScopeState } from '../../../plan/plan.ts'
import { isNotManagedNow } from '../../../plan/scope.ts'
import { AnswerBudget, MOST_DOCUMENT_BYTES } from '../../../platform/answer-budget.ts'
import { findApplies, listApplyChanges, type Apply } from '../../../platform/imports/history/applies.ts'
import type { RecordTypeName } from '../../../records/record-type.ts'
import { RECORD_TYPES } from '../../../records/registry.ts'
import { definition } from '../../../records/shape.ts'
import type { GraphqlContext } from '../call.ts'
import { byUuid, declareKind, NODE } from '../edges/kinds.ts'
import { withEdges } from '../edges/to-one.ts'
import { plainPageType } from '../page.ts'
import { oncePerExecution } from '../batches.ts'
import { RECORD_CHANGES } from './record-changes.ts'
import { INTEGER, JSON_VALUE, TEXT, TIME, UUID } from '../scalars.ts'
import { enumOf, input, list, nonNull, optional, type Valued } from '../typed.ts'

export type PlanView = Pick<PlanResult, 'plan' | 'pointers'>

const OUTCOME = enumOf<Outcome>('PlanOutcome', 'What an apply of a plan would do.', {
  changes: 'It would change something.',
  'no-changes': 'There is nothing to do.',
  blocked: 'The platform would refuse it, because of an error or of a guard that nobody acknowledged.',
})

const SCOPE_STATE = enumOf<ScopeState>('ScopeState', 'How an import document treats a record type.', {
  managed: 'It lists all records of the type.',
  unmanaged: 'It does not have the type.',
  emptied: 'The document has an empty list, and the platform has records.',
  released: 'The document no longer has the type, which the last apply managed.',
})

/** Its values have the names of the keys in the import document. */
export const RECORD_TYPE: GraphQLEnumType & Valued<RecordTypeName> = new GraphQLEnumType({
  name: 'RecordType',
  description: 'The record types, as the import document names them.',
  values: Object.fromEntries(
    RECORD_TYPES.map((type) => [type.name, { description: definition(type.definition).description ?? null }]),
  ),
})

const counts = (fields: { readonly [name: string]: string }) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, description]) => [name, { type: nonNull(INTEGER), description }]),
  )

const PLAN_SUMMARY = new GraphQLObjectType<Plan['summary']>({
  name: 'PlanSummary',
  description: 'The counts of a plan.',
  fields: {
    ...counts({
      create: 'Records that would be created.',
      update: 'Records that would be changed.',
      delete: 'Records that would be deleted.',
      move: 'Records that would get another key.',
      unchanged: 'Records that already equal the document.',
      unmanagedTypes: 'Record types that the document does not have.',
    }),
    notCompared: {
      type: nonNull(INTEGER),
      description: 'Records without a change whose secrets could not be compared.',
      resolve: ({ notCompared }) => notCompared ?? 0,
    },
  },
})

const PLAN_SCOPE = new GraphQLObjectType<Plan['scope'][number]>({
  name: 'PlanScope',
  description: 'How an import document treats one record type.',
  fields: {
    type: { type: nonNull(RECORD_TYPE), description: 'The record type.' },
    state: { type: nonNull(SCOPE_STATE), description: 'Whether the document manages it.' },
    managedBy: {
      type: GraphQLString,
      description: 'The owner of the type, if another owner made the plan.',
    },
    staysManaged: {
      type: nonNull(GraphQLBoolean),
      description:
        'The last apply managed the type, but this document lacks it and has no settings. So the type does not change, and stays managed.',
      resolve: isNotManagedNow,
    },
    ...counts({
      desired: 'How many records the document lists.',
      actual: 'How many records the platform has; of a plan with a base, when all that waits is applied.',
    }),
  },
})

const PLAN_ACCESS = new GraphQLObjectType<Plan['access']>({
  name: 'PlanAccess',
  description: 'What an import does with the grants in its settings.',
  fields: {
    state: { type: nonNull(SCOPE_STATE), description: 'Whether the settings manage them.' },
    managedBy: {
      type: GraphQLString,
      description: 'The owner of the grants, if another owner made the plan.',
    },
    staysManaged: {
      type: nonNull(GraphQLBoolean),
      description:
        'The last apply managed grants, and this import has no settings. So grants do not change, and stay managed.',
      resolve: isNotManagedNow,
    },
    ...counts({ desired: 'How many grants the settings list.', actual: 'How many grants the platform has.' }),
    diff: {
      type: JSON_VALUE,
      description:
        'Who could do more or less by all changes of the plan, as schemas/plan.schema.json describes it; null: nobody.',
    },
    changes: {
      type: nonNull(JSON_VALUE),
      description: 'The changes of grants, as in schemas/plan.schema.json.',
    },
  },
})

export const IMPORT_PLAN = new GraphQLObjectType<PlanView, GraphqlContext>({
  name: 'ImportPlan',
  description: 'The changes that an apply of an import document would make. Making a plan changes nothing.',
  fields: {
    digest: {
      type: TEXT,
      description: 'Equal digests mean equal effects.',
      resolve: ({ plan }) => plan.digest,
    },
    outcome: { type: nonNull(OUTCOME), description: 'What an apply would do.', resolve: ({ plan }) => plan.outcome },
    summary: { type: nonNull(PLAN_SUMMARY), description: 'The counts.', resolve: ({ plan }) => plan.summary },
    scope: {
      type: nonNull(list(PLAN_SCOPE)),
      description: 'All record types, in the order of the import document.',
      resolve: ({ plan }) => plan.scope,
    },
    access: {
      type: nonNull(PLAN_ACCESS),
      description: 'What the plan does with grants.',
      resolve: ({ plan }) => plan.access,
    },
    json: {
      type: nonNull(JSON_VALUE),
      description: 'The whole plan, as schemas/plan.schema.json describes it.',
      resolve: ({ plan }) => plan,
    },
    brief: {
      type: nonNull(JSON_VALUE),
      description:
        'The plan in fewer bytes, enough to show it and to apply it. Like `json`, but in a record type with more than 100 creations that have neither a secret nor a guard nor a reason, each of these is only the list `[type, key, afterDigest, pointer]`, in its place in `changes`. `pointers` of this object has the pointers of the other changes.',
      resolve: briefPlan,
    },
    pointers: {
      type: nonNull(JSON_VALUE),
      description:
        'Where in the import document, or in the settings for grants, each change comes from: `type/key` to JSON Pointer (RFC 6901).',
      resolve: ({ pointers }) => Object.fromEntries(pointers),
    },
  },
})

export const ROLLBACK_PLAN = new GraphQLObjectType<PlanView & { settings: unknown }>({
  name: 'RollbackPlan',
  description:
    'The inverse of an apply. To undo the apply, call applyImport with the document, settings and plan of this answer, and with the apply as origin.rollbackOf.',
  fields: {
    json: {
      type: nonNull(JSON_VALUE),
      description: 'The whole plan, as schemas/plan.schema.json describes it.',
      resolve: ({ plan }) => plan,
    },
    document: {
      type: nonNull(JSON_VALUE),
      description: 'The document to give to applyImport: empty, since the records come from the history.',
      resolve: () => ({}),
    },
    settings: {
      type: nonNull(JSON_VALUE),
      description: 'The settings with which the plan was made.',
      resolve: ({ settings }) => settings ?? {},
    },
  },
})

export const APPLY_ORIGIN = input('ApplyOriginInput', 'Where an apply comes from.', {
  applyId: optional(GraphQLID, 'A UUID made by the client. Repetitions with the same UUID are carried out only once.'),
  commit: optional(GraphQLString, 'The Git commit of the models.'),
  base: optional(GraphQLString, 'The Git commit of the base, if only the changes against it are applied.'),
  repository: optional(GraphQLString, 'The Git repository of the models.'),
  ref: optional(GraphQLString, 'The Git branch or tag.'),
  folder: optional(
    GraphQLString,
    'The folder of the models in the repository, `.` for its root. Together with the repository in the token of a job, it is the owner of the record types.',
  ),
  actor: optional(GraphQLString, 'The author of the models, according to the client.'),
  pullRequest: optional(GraphQLString, 'The pull request with the models, as the forge shows it, such as #12 or !12.'),
  rollbackOf: optional(GraphQLID, 'The uuid of the apply that a rollback undoes.'),
})

/** All applies in one answer share the size limit of one document. */
const changesOf = oncePerExecution<AnswerBudget, readonly JsonObject[]>(() => new AnswerBudget(MOST_DOCUMENT_BYTES))

export const APPLY: GraphQLObjectType<Apply, GraphqlContext> = new GraphQLObjectType({
  name: 'Apply',
  description: 'An import document that was applied.',
  interfaces: [NODE],
  fields: () =>
    withEdges<Apply>(
      {
        uuid: { type: UUID, description: 'Identifies the apply.' },
        recorded: {
          type: nonNull(GraphQLBoolean),
          description: 'False if there was nothing to do. The history has no entry for such an apply.',
        },
        at: { type: TIME, description: 'When it was done.' },
        actor: { type: TEXT, description: 'Who did it.' },
        planDigest: { type: TEXT, description: 'The digest of the plan that was carried out.' },
        summary: {
          type: nonNull(JSON_VALUE),
          description: 'The counts of that plan; `access`: how many grants changed.',
        },
        origin: {
          type: nonNull(JSON_VALUE),
          description:
            'Where the models came from: commit, base, repository, ref, folder, actor, pullRequest; `owner`: whose the record types of the apply are, absent for the local owner.',
          resolve: ({ origin: { rollbackOf: _, ...origin } }) => origin,
        },
        scope: {
          type: nonNull(JSON_VALUE),
          description: 'Each record type and whether the document managed it: a list of {type, state}.',
          resolve: ({ scope }) => Object.entries(scope).map(([type, state]) => ({ type, state: String(state) })),
        },
        notManaged: {
          type: nonNull(list(GraphQLString)),
          description:
            'Record types (and `access` for grants) that earlier applies managed and this import without settings lacks. They do not change, and stay managed.',
        },
        rollbackOf: {
          type: GraphQLID,
          description: 'The apply that this rollback undid.',
          resolve: ({ origin: { rollbackOf } }) => (typeof rollbackOf === 'string' ? rollbackOf : null),
        },
        changes: {
          type: nonNull(JSON_VALUE),
          description: 'The changes, with the records before and after, without secrets.',
          resolve: ({ uuid, recorded }, _, { parts }, info) =>
            recorded ? changesOf(info, uuid, (budget) => listApplyChanges(parts.context, uuid, budget)) : [],
        },
        recordChanges: RECORD_CHANGES,
      },
      [{ field: 'rollbackOf', to: APPLY.name, by: 'uuid' }],
    ),
})

declareKind({
  type: APPLY,
  right: 'model:read',
  keepsWithin: false,
  ending: 'Apply',
  find: byUuid(({ context }, uuids) => findApplies(context, uuids)),
})

export const APPLY_CONNECTION = plainPageType(APPLY, {
  description: 'A page of the history.',
  nodes: 'The applies, newest first.',
  cursor: 'The cursor of an apply is its uuid.',
})
